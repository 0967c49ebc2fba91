/** Something a person starts and waits for: once at a time, and dropped when they leave the screen. */
import { useLayoutEffect, useRef, useState } from 'react';

/**
 * `run` does nothing while the action runs. The action gets a signal that is aborted when the screen
 * is left: what happens after that must not move the person.
 */
export function useAction(action: (signal: AbortSignal) => Promise<void>): {
  readonly isBusy: boolean;
  readonly run: () => void;
} {
  const running = useRef<AbortController>(undefined);
  const [isBusy, setIsBusy] = useState(false);
  const isShown = useRef(false);

  // In the same breath as the screen goes: an answer may be the next thing that happens.
  useLayoutEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
      // React may take a screen away and put it back at once; that is not leaving.
      queueMicrotask(() => {
        if (!isShown.current) {
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
      // A state would be a render late for the second of two quick presses.
      if (running.current === undefined) {
        void start();
      }
    },
  };
}
