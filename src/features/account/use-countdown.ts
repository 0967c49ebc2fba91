/** Counts seconds down, by the time that passes on this page and not by the clock on the wall. */
import { useEffect, useState } from 'react';

const tickMs = 250;

/** Whole seconds left, and the way to start anew. */
export function useCountdown(initialS: number): readonly [number, (seconds: number) => void] {
  const [run, setRun] = useState({ lengthS: initialS });
  const [leftS, setLeftS] = useState(Math.ceil(initialS));

  useEffect(() => {
    const startMs = performance.now();
    const timer = setInterval(() => {
      const passedS = (performance.now() - startMs) / 1000;
      const nowLeftS = Math.max(0, Math.ceil(run.lengthS - passedS));
      setLeftS(nowLeftS);
      if (nowLeftS === 0) {
        clearInterval(timer);
      }
    }, tickMs);
    return () => clearInterval(timer);
  }, [run]);

  const restart = (seconds: number) => {
    setRun({ lengthS: seconds });
    setLeftS(Math.ceil(seconds));
  };
  return [leftS, restart];
}
