/** An action that the user starts and waits for: one at a time, aborted when the screen is left. */
import { useLayoutEffect, useRef, useState } from 'react';

/**
 * `run` does nothing while the action runs. The action gets a signal that is aborted when the screen
 * is left; after that it must not navigate.
 */
export function useAction(action: (signal: AbortSignal) => Promise<void>): {
  readonly isBusy: boolean;
  readonly run: () => void;
} {
  const running = useRef<AbortController>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const isMounted = useRef(false);

  // A layout effect, because an answer may arrive right after the screen is unmounted.
  useLayoutEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      // React may unmount a screen and mount it again at once, which is not leaving.
      queueMicrotask(() => {
        if (!isMounted.current) {
          running.current?.abort();
        }
      });
    };
  }, []);

  async function start(): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setIsBusy(true);
    try {
      await action(controller.signal);
    } finally {
      running.current = undefined;
      setIsBusy(false);
    }
  }

  return {
    isBusy,
    run: () => {
      // A ref, because a state changes only with the next render: too late for a second quick press.
      if (running.current === undefined) {
        void start();
      }
    },
  };
}
