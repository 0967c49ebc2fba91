/** Catches render errors of a part of the page, and shows a message with a button to try again. */
import { Component, type ReactNode } from 'react';

import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

type Props = {
  readonly children: ReactNode;
  readonly message: string;
  readonly retryText: string;
};
type State = { readonly isBroken: boolean };

/** React catches render errors in class components only. */
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
