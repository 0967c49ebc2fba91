/** Made-up pictures for the pages of the gallery, the same in every run, and how the gallery reads them. */

export type BenchItem = {
  readonly id: string;
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly cover: string;
};

/** Widths and heights in the proportions that pictures have. */
const ratios = [
  [1, 1],
  [3, 4],
  [4, 3],
  [2, 3],
  [9, 16],
  [16, 9],
  [4, 5],
] as const;
const covers = 24;

/** Makes `count` items; neighbours mostly differ in height. */
export async function makeItems(count: number): Promise<BenchItem[]> {
  const urls = await Promise.all(Array.from({ length: covers }, (_cover, index) => paint(index)));
  return Array.from({ length: count }, (_item, index) => {
    const [width, height] = ratios[(index * 5 + ((index / 7) | 0)) % ratios.length] ?? [1, 1];
    return {
      id: String(1_700_000_000_000_000_000n + BigInt(index)),
      title: `Model ${index + 1}, a name that may take two lines`,
      width: width * 128,
      height: height * 128,
      cover: urls[index % covers] ?? '',
    };
  });
}

/** Makes a cover that is fetched and decoded like a real file. */
async function paint(index: number): Promise<string> {
  const canvas = new OffscreenCanvas(384, 512);
  const context = canvas.getContext('2d');
  if (context) {
    const shade = context.createLinearGradient(0, 0, 384, 512);
    shade.addColorStop(0, `hsl(${index * 15} 60% 60%)`);
    shade.addColorStop(1, `hsl(${index * 15 + 90} 60% 35%)`);
    context.fillStyle = shade;
    context.fillRect(0, 0, 384, 512);
  }
  return URL.createObjectURL(await canvas.convertToBlob({ type: 'image/webp' }));
}

/** The size of a picture, as far as it is known. */
type Sized = { readonly width: number | undefined; readonly height: number | undefined };

export const gap = 12;
export const columnRules = { otherwise: 4, below: { 600: 2, 800: 2, 1100: 3, 1400: 3 } } as const;

/** Height of the row of buttons below the cover, in px. */
const rowPx = 44;

export const getKey = ({ id }: { readonly id: string }) => id;
export const getSize = ({ width = 1, height = 1 }: Sized) => ({ width, height, extra: rowPx });
