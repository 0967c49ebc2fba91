/** How far a track has come between two looks at it. */
import { useEffect, useState } from 'react';

const tickMs = 500;

type Progress = {
  /** Milliseconds played when it was read. */
  readonly from: number;
  /** Epoch milliseconds. */
  readonly readAt: number;
  readonly total: number;
  readonly isMoving: boolean;
};

/** Milliseconds played by now; never more than the track has. */
export function useProgress({ from, readAt, total, isMoving }: Progress): number {
  const [now, setNow] = useState(() => Date.now());
  const elapsed = Math.min(total, from + (isMoving ? Math.max(0, now - readAt) : 0));
  const isTicking = isMoving && elapsed < total;

  useEffect(() => {
    if (!isTicking) {
      return undefined;
    }
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [isTicking]);

  return elapsed;
}

/** `m:ss`, with as many minutes as there are. */
export function asMinutes(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
