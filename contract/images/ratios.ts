/** The aspect ratios of pictures, and their sizes in pixels. */

/** Each size has about one megapixel; sides are multiples of 8, as diffusion models require. */
export const ratios = [
  { name: '1:1', width: 1024, height: 1024 },
  { name: '3:2', width: 1248, height: 832 },
  { name: '2:3', width: 832, height: 1248 },
  { name: '16:9', width: 1280, height: 720 },
  { name: '9:16', width: 720, height: 1280 },
  { name: '4:3', width: 1152, height: 864 },
  { name: '3:4', width: 864, height: 1152 },
  { name: '5:4', width: 1120, height: 896 },
  { name: '4:5', width: 896, height: 1120 },
  { name: '21:9', width: 1512, height: 648 },
  { name: '9:21', width: 648, height: 1512 },
  { name: '5:3', width: 1320, height: 792 },
  { name: '3:5', width: 792, height: 1320 },
  { name: '8:5', width: 1280, height: 800 },
  { name: '5:8', width: 800, height: 1280 },
] as const;

type Ratio = (typeof ratios)[number];
export type RatioName = Ratio['name'];

export const defaultRatio = '1:1' satisfies RatioName;

export const ratioNames = ratios.map(({ name }) => name);

/** The size of a ratio in pixels; of the default ratio when the name is unknown. */
export function getRatioSize(name: string): { readonly width: number; readonly height: number } {
  return ratios.find((ratio) => ratio.name === name) ?? ratios[0];
}
