/** What both pages tell their gallery: the columns of the model browser, and how to read a picture. */

/** What both know of the size of their pictures. */
type Sized = { readonly width: number | undefined; readonly height: number | undefined };

export const gap = 12;
export const columnRules = { otherwise: 4, below: { 600: 2, 800: 2, 1100: 3, 1400: 3 } } as const;

/** Below the cover, for the buttons; in px. */
const rowPx = 44;

export const getKey = ({ id }: { readonly id: string }) => id;
export const getSize = ({ width = 1, height = 1 }: Sized) => ({ width, height, extra: rowPx });
