/** The column that holds a screen, and the header at its top. */
import { type ComponentProps } from 'react';

import styles from './page.module.css';

/** A screen sets its width by `--page-width`, and may set `--page-gap`, in a class of its own. */
export function Page({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={join(styles.page, className)} />;
}

type PageHeaderProps = {
  readonly heading: string;
  readonly lead: string;
  readonly className?: string | undefined;
};

export function PageHeader({ heading, lead, className }: PageHeaderProps) {
  return (
    <header className={join(styles.header, className)}>
      <h1 tabIndex={-1}>{heading}</h1>
      <p className={styles.lead}>{lead}</p>
    </header>
  );
}

function join(...classes: readonly (string | undefined)[]): string {
  return classes.filter(Boolean).join(' ');
}
