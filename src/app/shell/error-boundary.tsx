/** Catches what breaks while drawing, so that the rest of the page lives on. */
import { Component, type ReactNode } from 'react';

import { BrokenPage } from './broken-page.tsx';

type Props = { readonly children: ReactNode };
type State = { readonly error: Error | undefined };

/** React catches render errors in class components only. */
export class ErrorBoundary extends Component<Props, State> {
  override readonly state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    return this.state.error ? <BrokenPage error={this.state.error} /> : this.props.children;
  }
}
