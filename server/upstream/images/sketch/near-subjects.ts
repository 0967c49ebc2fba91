/** What stands in the foreground when the prompt names it: a person, a cat, a tree. */
import { type Colour, mixed } from './colour.ts';
import { paintCat, paintPerson } from './figures.ts';
import { type Scene } from './scene.ts';
import { fillPolygon, type Point } from './shapes.ts';
import { plantTree } from './tree.ts';

const personWords =
  /\b(?:\d?girls?|\d?boys?|wom[ae]n|m[ae]n|person|people|lady|knight|witch|wizard|princess|prince|warrior|child|elf|samurai|maid|idol|portrait|hair|kimono|astronaut|character)\b/i;
const catWords = /\b(?:cats?|kittens?|kitty|catgirl|neko|fox(?:es)?)\b/i;
const treeWords = /\b(?:trees?|sakura|cherry|blossoms?|forest|garden|autumn|maple|park|lonely)\b/i;

/** What stands nearest: not in every picture, and always on firm ground. */
export function paintNearSubjects(scene: Scene): void {
  const { canvas, chance, light, palette, place, prompt, size } = scene;
  const isPerson = personWords.test(prompt);
  const isCat = catWords.test(prompt) && place !== 'space';
  const hasTree = wantsTree(scene);
  if (!(isPerson || isCat || hasTree)) {
    return;
  }

  const ink = mixed(palette.near, [0, 0, 0], 0.35);
  const x = light.x + size * chance.between(-0.16, 0.16);
  const y = canvas.height - size * chance.between(0.1, 0.15);
  paintMound(scene, { x, top: y }, ink);
  if (hasTree) {
    plantTree(scene, { x: canvas.width * (x < canvas.width / 2 ? 0.86 : 0.14), ink });
  }
  if (isPerson) {
    paintPerson(scene, { x, y: y + size * 0.008, height: size * 0.27 }, ink);
  }
  if (isCat) {
    const [aside, height] = isPerson ? [size * 0.13, size * 0.1] : [0, size * 0.17];
    paintCat(scene, { x: x + aside, y: y + size * 0.012, height }, ink);
  }
}

function wantsTree({ chance, place, prompt }: Scene): boolean {
  const isBuilt = place === 'city' || place === 'space';
  return place !== 'space' && (treeWords.test(prompt) || (!isBuilt && chance.isLikely(0.3)));
}

function paintMound({ canvas, size }: Scene, { x, top }: { x: number; top: number }, ink: Colour) {
  const { width, height } = canvas;
  const slope = Array.from({ length: 65 }, (_, index): Point => {
    const column = (index / 64) * width;
    const aside = (column - x) / (size * 0.62);
    return [column, height + size * 0.03 - (height + size * 0.03 - top) * Math.exp(-aside * aside)];
  });
  fillPolygon(canvas, [...slope, [width, height + 9], [0, height + 9]], ink);
}
