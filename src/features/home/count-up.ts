/** Lets figures count up, once, when they come into view. */
import { type RefObject, useEffect, useState } from 'react';

const countUpMs = 1000;

/** Which part of a figure is shown: from 0 to 1 within a second, and 1 at once where motion is not wanted. */
export function useCountUp(box: RefObject<HTMLElement | null>): number {
  const [share, setShare] = useState(() => (isMotionWanted() ? 0 : 1));

  useEffect(() => {
    const element = box.current;
    if (!element || !isMotionWanted()) {
      return undefined;
    }
    let frame = 0;
    let startedAt: number | undefined;
    const step = (now: number) => {
      startedAt ??= now;
      const passed = Math.min((now - startedAt) / countUpMs, 1);
      // Fast at first and gentle at the end; whole at the end.
      setShare(1 - (1 - passed) ** 3);
      if (passed < 1) {
        frame = requestAnimationFrame(step);
      }
    };
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) {
        observer.disconnect();
        frame = requestAnimationFrame(step);
      }
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [box]);

  return share;
}

function isMotionWanted(): boolean {
  return !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
