/** Something of ours broke: says so, and offers a way on. */
import { useState } from 'react';
import { useLocation } from 'react-router-dom';

import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Logo } from '#ui/logo';

import { SupportLink } from './support-link.tsx';
import { texts } from './texts.ts';

import styles from './whole-page.module.css';

const copiedForMs = 2000;

export function BrokenPage({ error }: { readonly error: Error }) {
  const platform = usePlatform();
  const { pathname } = useLocation();
  const [copyLabel, setCopyLabel] = useState<string>(texts.copyDetails);
  const copy = async () => {
    // The path only: a query may carry a code.
    const details = `${error.name}: ${error.message}\n${pathname}\n${new Date().toISOString()}`;
    const isCopied = await platform.copy(details);
    setCopyLabel(isCopied ? texts.copied : texts.notCopied);
    setTimeout(() => setCopyLabel(texts.copyDetails), copiedForMs);
  };

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
        <Button onClick={() => void copy()}>{copyLabel}</Button>
        <SupportLink />
      </div>
    </div>
  );
}
