/** Silhouettes of those who look into the picture: a person, a cat. */
import { type Colour } from './colour.ts';
import { type Scene } from './scene.ts';
import {
  curveThrough,
  fillEllipse,
  fillLine,
  fillPolygon,
  placing,
  type Point,
  type Stand,
} from './shapes.ts';

const inDress =
  /\b(?:\d?girls?|wom[ae]n|lady|witch|princess|maid|idol|kimono|dress|elf|hair|skirt)\b/i;

/** From behind, looking into the picture; hair or a scarf in the wind. */
export function paintPerson({ canvas, chance, prompt }: Scene, stand: Stand, ink: Colour): void {
  const at = placing(stand);
  const { height } = stand;
  const wind = chance.pick([-1, 1]);
  const hem = inDress.test(prompt) ? 0.2 : 0.13;
  const coat: Point[] = [
    [0.02, -0.85],
    [0.095, -0.8],
    [0.115, -0.62],
    [0.105, -0.5],
    [hem, -0.25],
    [wind * 0.03, -0.225],
    [-hem, -0.25],
    [-0.105, -0.5],
    [-0.115, -0.62],
    [-0.095, -0.8],
    [-0.02, -0.85],
  ];
  fillPolygon(canvas, curveThrough(coat.map(at)), ink);
  fillEllipse(canvas, { at: at([0, -0.92]), radii: [height * 0.06, height * 0.072] }, ink);
  const loose: Point[] = inDress.test(prompt)
    ? [
        [0.064, -0.95],
        [0.074, -0.82],
        [0.06 + wind * 0.06, -0.68],
        [wind * 0.2, -0.58],
        [-0.06 + wind * 0.05, -0.66],
        [-0.074, -0.82],
        [-0.064, -0.95],
        [0, -0.995],
      ]
    : [
        [-0.06, -0.85],
        [0.06, -0.85],
        [wind * 0.2, -0.83],
        [wind * 0.3, -0.76],
        [wind * 0.18, -0.78],
        [0, -0.8],
      ];
  fillPolygon(canvas, curveThrough(loose.map(at)), ink);
  for (const side of [-1, 1]) {
    const leg: Point[] = [
      [side * 0.045, -0.3],
      [side * 0.045, 0],
    ];
    fillLine(canvas, leg.map(at), { colour: ink, thick: height * 0.03 });
  }
}

export function paintCat({ canvas, chance }: Scene, stand: Stand, ink: Colour): void {
  const at = placing(stand);
  const { height } = stand;
  const side = chance.pick([-1, 1]);
  const body: Point[] = [
    [0, -0.72],
    [0.13, -0.6],
    [0.23, -0.36],
    [0.28, -0.12],
    [0.2, 0.01],
    [-0.2, 0.01],
    [-0.28, -0.12],
    [-0.23, -0.36],
    [-0.13, -0.6],
  ];
  fillPolygon(canvas, curveThrough(body.map(at)), ink);
  fillEllipse(canvas, { at: at([0, -0.76]), radii: [height * 0.17, height * 0.145] }, ink);
  for (const ear of [-1, 1]) {
    const corners: Point[] = [
      [ear * 0.165, -0.78],
      [ear * 0.15, -1],
      [ear * 0.03, -0.88],
    ];
    fillPolygon(canvas, corners.map(at), ink);
  }
  const tail: Point[] = [
    [side * 0.2, -0.05],
    [side * 0.38, -0.03],
    [side * 0.5, -0.1],
    [side * 0.53, -0.24],
    [side * 0.46, -0.36],
  ];
  fillLine(canvas, tail.map(at), { colour: ink, thick: height * 0.045 });
}
