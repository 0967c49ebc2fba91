/** What both pages tell their gallery: the columns of the model browser, and how to read a picture. */
import { type BenchItem } from './items.ts';

export const gap = 12;
export const columnRules = { otherwise: 4, below: { 600: 2, 800: 2, 1100: 3, 1400: 3 } } as const;

export const keyOf = ({ id }: BenchItem) => id;
/** Below the cover, for the buttons; in px. */
export const rowPx = 44;

export const sizeOf = ({ width, height }: BenchItem) => ({ width, height, extra: rowPx });
export const nameOf = ({ title }: BenchItem) => title;
