/** Keeps what breaks while drawing to the part of the page that broke: a message in its place, and another try. */
import { Component, type ReactNode } from 'react';

import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type Props = {
  readonly children: ReactNode;
  /** Says what cannot be shown. */
  readonly message: string;
  readonly retryText: string;
};
type State = { readonly isBroken: boolean };

/** React catches render errors in class components only, and reports each once by itself. */
export class PartBoundary extends Component<Props, State> {
  override readonly state: State = { isBroken: false };

  static getDerivedStateFromError(): State {
    return { isBroken: true };
  }

  override render() {
    const { children, message, retryText } = this.props;
    return this.state.isBroken ? (
      <Notice
        tone="error"
        action={<Button onClick={() => this.setState({ isBroken: false })}>{retryText}</Button>}
      >
        {message}
      </Notice>
    ) : (
      children
    );
  }
}
