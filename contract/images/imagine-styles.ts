/** What Imagine Art can do: its styles, its shapes, its seeds. */
import { type RatioName } from './ratios.ts';

export const imagineStyles = [
  'anime',
  'flux-dev',
  'flux-schnell',
  'imagine-turbo',
  'realistic',
  'sdxl-1.0',
] as const;
export type ImagineStyle = (typeof imagineStyles)[number];
export const defaultImagineStyle = 'anime' satisfies ImagineStyle;

/** The shapes that the service itself can make. What draws in its stead may do more: see `readImageAbilities`. */
export const imagineRatios = [
  '1:1',
  '3:2',
  '4:3',
  '3:4',
  '16:9',
  '9:16',
] as const satisfies readonly RatioName[];

/** Seeds, both ends included. */
export const imagineSeed = { min: 0, max: 999_999 } as const;
