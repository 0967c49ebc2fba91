/** Imagine Art's styles, aspect ratios and seeds. */
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

/** The ratios that the service itself can make. Another engine may make more: see `readImageAbilities`. */
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
