/** Counts seconds down, by the time that passes on this page and not by the clock on the wall. */
import { useEffect, useState } from 'react';

const tickMs = 250;

type Run = { readonly lengthS: number; readonly startMs: number };

/** Whole seconds left, and the way to start anew. */
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
