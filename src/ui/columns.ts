/** How many columns a gallery has, by the width of the window. */
import { useSyncExternalStore } from 'react';

export type Columns = {
  /** Where no rule below holds. */
  readonly otherwise: number;
  /** Columns while the window is narrower than so many px: the narrowest rule that holds counts. */
  readonly below: Readonly<Record<number, number>>;
};

/** Columns for the window as it is, for example `{ otherwise: 4, below: { 800: 2, 1400: 3 } }`. */
export function useColumns(columns: Columns): number {
  return useSyncExternalStore(
    onResize,
    () => columnsAt(columns, window.innerWidth),
    () => columns.otherwise,
  );
}

function columnsAt({ otherwise, below }: Columns, width: number): number {
  const rules = Object.entries(below).toSorted(([a], [b]) => Number(a) - Number(b));
  return rules.find(([limit]) => width < Number(limit))?.[1] ?? otherwise;
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}
