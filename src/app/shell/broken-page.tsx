/** Something of ours broke: says so, and offers a way on. */
import { useLocation } from 'react-router-dom';

import { useCopyText } from '#lib/copy-text';
import { paths } from '#lib/paths';
import { Button } from '#ui/button';
import { useCopied } from '#ui/copy-button';
import { Logo } from '#ui/logo';

import { SupportLink } from './support-link.tsx';
import { texts } from './texts.ts';

import styles from './whole-page.module.css';

export function BrokenPage({ error }: { readonly error: Error }) {
  const { pathname } = useLocation();
  const copyText = useCopyText();
  const { said, press } = useCopied(() =>
    // The path only: a query may carry a code.
    copyText(`${error.name}: ${error.message}\n${pathname}\n${new Date().toISOString()}`),
  );

  return (
    <div role="alert" className={styles.page}>
      <Logo className={styles.mascot} />
      <h1>{texts.brokenTitle}</h1>
      <p>{texts.brokenText}</p>
      <div className={styles.actions}>
        <Button kind="primary" onClick={() => window.location.reload()}>
          {texts.reload}
        </Button>
        {/* A whole new page: whatever broke is left behind. */}
        <Button onClick={() => window.location.assign(paths.home)}>{texts.home}</Button>
        <Button onClick={() => void press()}>{said ?? texts.copyDetails}</Button>
        <SupportLink />
      </div>
    </div>
  );
}
