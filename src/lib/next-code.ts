/** When the next one-time password may be asked for, counted down while one waits. */
import { useEffect, useState } from 'react';

/** How long to wait between two codes, in seconds. */
export const resendAfterS = 60;

const tickMs = 250;

/** A code that was asked for. */
type Asked = {
  /** When, ms since 1970. */
  readonly sentAt: number;
  /** How long to wait from then, in seconds. */
  readonly waitS: number;
};

/**
 * How long to wait before the next code, in seconds. The clock is asked only for a duration, and a
 * clock that was set meanwhile can never make the wait longer than it was.
 */
export function remainingWaitS({ sentAt, waitS }: Asked): number {
  const passedS = (Date.now() - sentAt) / 1000;
  return Math.min(waitS, Math.max(0, waitS - passedS));
}

type Run = { readonly lengthS: number; readonly startMs: number };

/** Whole seconds left, by the time that passes on this page and not by the clock on the wall, and the way to start anew. */
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
