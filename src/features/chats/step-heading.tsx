/** The top of a dashboard step: its heading, the way back, and where the focus goes on arrival. */
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { NavigationType, useNavigate, useNavigationType } from 'react-router-dom';

import { dashboardPaths } from '#lib/paths';
import { Button } from '#ui/button';

import { chatTexts } from './texts.ts';

import styles from './chats.module.css';

type StepHeadingProps = {
  /** Whether the user came from another step; on the first one the shell sets the focus. */
  readonly hasMoved: boolean;
  /** Not seen inside Telegram, where the tab says the same. */
  readonly isTabTitle?: boolean;
  readonly children: ReactNode;
};

/** The heading takes the focus when the step is reached from another one. */
export function StepHeading({ hasMoved, isTabTitle = false, children }: StepHeadingProps) {
  // On the way back the browser restores the scroll position.
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
    <h2
      ref={heading}
      tabIndex={-1}
      dir="auto"
      className={isTabTitle ? styles.tabTitle : styles.stepTitle}
    >
      {children}
    </h2>
  );
}

/** The way back from a chat's own steps; leads to the list by default. */
export function BackButton({
  to = dashboardPaths.list,
  text = chatTexts.backToList,
}: {
  readonly to?: string;
  readonly text?: string;
}) {
  const navigate = useNavigate();
  return (
    <Button
      kind="quiet"
      className={styles.back}
      icon={<ArrowLeft aria-hidden size={18} />}
      onClick={() => void navigate(to)}
    >
      {text}
    </Button>
  );
}

/**
 * Calls back once, before the part is painted. Later, or a second time when React mounts the part
 * again, a moved focus would interrupt a user who is already typing.
 */
export function useOnArrival(arrive: () => void): void {
  const hasArrived = useRef(false);
  const run = useEffectEvent(arrive);
  useLayoutEffect(() => {
    if (!hasArrived.current) {
      hasArrived.current = true;
      run();
    }
  }, []);
}
