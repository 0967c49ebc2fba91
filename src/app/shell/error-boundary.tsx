/** Catches what breaks while drawing, so that the rest of the page lives on. */
import { Component, type ReactNode } from 'react';

import { isMendedByReload, reloadForChunks } from '../stale-chunks.ts';
import { BrokenPage } from './broken-page.tsx';

type Props = {
  readonly children: ReactNode;
  /** Called when something broke for good. */
  readonly onBreak?: () => void;
  /** What breaks is no page of its own: nothing is shown in its place. */
  readonly isPart?: boolean;
};
type State = { readonly error: Error | undefined; readonly isReloading: boolean };

/** React catches render errors in class components only. */
export class ErrorBoundary extends Component<Props, State> {
  override readonly state: State = { error: undefined, isReloading: false };

  static getDerivedStateFromError(thrown: unknown): State {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error, isReloading: isMendedByReload(error) };
  }

  override componentDidCatch() {
    if (this.state.isReloading) {
      reloadForChunks();
    } else {
      this.props.onBreak?.();
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
