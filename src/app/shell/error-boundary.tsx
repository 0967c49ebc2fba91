/** Catches render errors, so that the rest of the page still works, and shows the error page. */
import { Component, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';

import { useCopyText } from '#lib/copy-text';
import { labels } from '#lib/page-texts';
import { paths, prefix } from '#lib/paths';
import { Button, useCopied } from '#ui/button';
import { Logo } from '#ui/logo';

import { isFixedByReload, reloadForChunks } from '../stale-chunks.ts';
import { SupportLink } from './support-link.tsx';
import { texts } from './texts.ts';

import styles from './whole-page.module.css';

type Props = {
  readonly children: ReactNode;
  /** Called on an error that a reload does not fix. */
  readonly onError?: () => void;
  /** The children are not the page itself: nothing is shown in their place. */
  readonly isPart?: boolean;
};
type State = { readonly error: Error | undefined; readonly isReloading: boolean };

/** React catches render errors in class components only. */
export class ErrorBoundary extends Component<Props, State> {
  override readonly state: State = { error: undefined, isReloading: false };

  static getDerivedStateFromError(thrown: unknown): State {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error, isReloading: isFixedByReload(error) };
  }

  override componentDidCatch() {
    if (this.state.isReloading) {
      reloadForChunks();
    } else {
      this.props.onError?.();
    }
  }

  override render() {
    const { error, isReloading } = this.state;
    if (!error) {
      return this.props.children;
    }
    return isReloading || this.props.isPart ? null : <BrokenPage error={error} />;
  }
}

function BrokenPage({ error }: { readonly error: Error }) {
  const { pathname } = useLocation();
  const copyText = useCopyText();
  const { said, press } = useCopied(() =>
    // Without the query, which may contain a code.
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
        {/* Loads the page again instead of navigating, so that the broken state is gone. */}
        <Button onClick={() => window.location.assign(prefix || paths.home)}>{labels.home}</Button>
        <Button onClick={() => void press()}>{said ?? texts.copyDetails}</Button>
        <SupportLink />
      </div>
    </div>
  );
}
