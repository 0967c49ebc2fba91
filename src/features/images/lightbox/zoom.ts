/** How a picture lies in its viewer: how large, how far from the middle, and how far it may go. */

/** `x` and `y`: pixels from the middle of the stage. */
export type View = { readonly scale: number; readonly x: number; readonly y: number };
export type Point = { readonly x: number; readonly y: number };
export type Size = { readonly width: number; readonly height: number };

export const wholePicture: View = { scale: 1, x: 0, y: 0 };
const largestScale = 6;

/** The picture's size when all of it is seen. */
export function fittedSize(picture: Size, stage: Size): Size {
  const factor = Math.min(stage.width / picture.width, stage.height / picture.height);
  return Number.isFinite(factor) && factor > 0
    ? { width: picture.width * factor, height: picture.height * factor }
    : stage;
}

/** The nearest view in which no empty stripe can be dragged in. */
export function settledView({ scale, x, y }: View, fitted: Size, stage: Size): View {
  if (scale <= 1) {
    return wholePicture;
  }
  const most = Math.min(scale, largestScale);
  return {
    scale: most,
    x: within(x, (fitted.width * most - stage.width) / 2),
    y: within(y, (fitted.height * most - stage.height) / 2),
  };
}

/** Zooms so that what is at `from` comes to lie at `to`; both in pixels from the middle of the stage. */
export function zoomedView(
  view: View,
  { scale, from, to = from }: { readonly scale: number; readonly from: Point; readonly to?: Point },
): View {
  const factor = scale / view.scale;
  return {
    scale,
    x: to.x - (from.x - view.x) * factor,
    y: to.y - (from.y - view.y) * factor,
  };
}

function within(value: number, limit: number): number {
  const most = Math.max(0, limit);
  return Math.min(most, Math.max(-most, value));
}
