/** How a generator is laid out: the form first, what comes of it beside it or, on narrow screens, below. */
import { type ReactNode, type Ref } from 'react';

import styles from './workshop.module.css';

type TwoColumnLayoutProps = {
  /** Where one comes to when a past picture is used again. */
  readonly formRef: Ref<HTMLDivElement>;
  readonly form: ReactNode;
  readonly children: ReactNode;
};

export function TwoColumnLayout({ formRef, form, children }: TwoColumnLayoutProps) {
  return (
    <div className={styles.columns}>
      <div ref={formRef} className={styles.column}>
        {form}
      </div>
      <div className={styles.column}>{children}</div>
    </div>
  );
}
