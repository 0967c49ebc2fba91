/** The heading of a dashboard step; it takes the focus when the step is reached from another one. */
import { type ReactNode, useRef } from 'react';
import { NavigationType, useNavigationType } from 'react-router-dom';

import { useOnArrival } from './use-on-arrival.ts';

import styles from './chats.module.css';

type StepHeadingProps = {
  /** Whether the person came from another step; on the first one the focus is the shell's matter. */
  readonly hasMoved: boolean;
  readonly children: ReactNode;
};

export function StepHeading({ hasMoved, children }: StepHeadingProps) {
  // On the way back the browser knows the place.
  const isBack = useNavigationType() === NavigationType.Pop;
  const heading = useRef<HTMLHeadingElement>(null);
  useOnArrival(() => {
    if (hasMoved) {
      heading.current?.focus({ preventScroll: true });
      if (!isBack) {
        window.scrollTo(0, 0);
      }
    }
  });

  return (
    <h2 ref={heading} tabIndex={-1} dir="auto" className={styles.stepTitle}>
      {children}
    </h2>
  );
}
