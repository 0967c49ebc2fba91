/** The countdown until the next one-time password can be requested. */
import { useEffect, useState } from 'react';

/** The wait between two codes, in seconds. */
export const resendAfterS = 60;

const tickMs = 250;

/** A code that was requested. */
type SentCode = {
  /** In ms since 1970. */
  readonly sentAt: number;
  /** The wait from then, in seconds. */
  readonly waitS: number;
};

/** The remaining wait, in seconds. A changed clock never makes it longer than `waitS`. */
export function remainingWaitS({ sentAt, waitS }: SentCode): number {
  const passedS = (Date.now() - sentAt) / 1000;
  return Math.min(waitS, Math.max(0, waitS - passedS));
}

type Run = { readonly lengthS: number; readonly startMs: number };

/** The whole seconds left, and the function to restart. Independent of changes of the system clock. */
export function useCountdown(initialS: number): readonly [number, (seconds: number) => void] {
  const [run, setRun] = useState(() => startRun(initialS));
  const [leftS, setLeftS] = useState(() => Math.ceil(initialS));

  useEffect(() => {
    const timer = setInterval(() => {
      const nowLeftS = secondsLeft(run);
      setLeftS(nowLeftS);
      if (nowLeftS === 0) {
        clearInterval(timer);
      }
    }, tickMs);
    return () => clearInterval(timer);
  }, [run]);

  const restart = (seconds: number) => {
    setRun(startRun(seconds));
    setLeftS(Math.ceil(seconds));
  };
  return [leftS, restart];
}

function startRun(lengthS: number): Run {
  return { lengthS, startMs: performance.now() };
}

function secondsLeft({ lengthS, startMs }: Run): number {
  return Math.max(0, Math.ceil(lengthS - (performance.now() - startMs) / 1000));
}
