/** The figures of Home, with bars. A chunk that the page loads after its first paint. */
import { type RefObject, useEffect, useRef, useState } from 'react';

import { type UsageRecord, readUsage } from '#contract/endpoints/usage';
import { call } from '#lib/api';
import { formatCount } from '#lib/format';

import type { Figure } from './figures.ts';

import styles from './figure-list.module.css';

export type FigureListProps = { readonly figures: readonly Figure[] };

export function FigureList({ figures }: FigureListProps) {
  const list = useRef<HTMLUListElement>(null);
  const share = useCountUp(list);
  const largest = figures[0]?.count ?? 0;

  return (
    <ul ref={list} className={styles.list}>
      {figures.map(({ name, count }) => (
        <li key={name} className={styles.row}>
          <span className={styles.name} dir="auto">
            {name}
          </span>
          <span className={styles.count}>{formatCount(Math.round(count * share))}</span>
          <span className={styles.track} aria-hidden="true">
            <span
              className={styles.bar}
              style={{ transform: `scaleX(${largest === 0 ? 0 : (count / largest) * share})` }}
            />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Reads the records of usage. Rejects with an `ApiError`. */
export function fetchUsage(signal: AbortSignal): Promise<readonly UsageRecord[]> {
  return call(readUsage, {}, signal);
}

const countUpMs = 1000;

/**
 * The share of each figure to show: rises from 0 to 1 within a second once `box` is in view. Always 1
 * where the user has asked for less motion.
 */
function useCountUp(box: RefObject<HTMLElement | null>): number {
  const [share, setShare] = useState(() => (isMotionAllowed() ? 0 : 1));

  useEffect(() => {
    const element = box.current;
    if (!element || !isMotionAllowed()) {
      return undefined;
    }
    let frame = 0;
    let startedAt: number | undefined;
    const step = (now: number) => {
      startedAt ??= now;
      const passed = Math.min((now - startedAt) / countUpMs, 1);
      // Fast at first, slow at the end.
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

function isMotionAllowed(): boolean {
  return !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
