/** Paints a whole sketch, back to front. */
import { paintCity } from './city.ts';
import { paintDrift } from './drift.ts';
import { paintFarSubjects } from './far-subjects.ts';
import { develop } from './finish.ts';
import { paintDunes, paintRidges } from './land.ts';
import { writeCaption } from './lettering.ts';
import { paintNearSubjects } from './near-subjects.ts';
import { createScene, type Scene, type SketchWish } from './scene.ts';
import { paintSky } from './sky.ts';
import { paintSpace } from './space.ts';
import { paintWater } from './water.ts';

const places: Record<Scene['place'], (scene: Scene) => void> = {
  ridges: (scene) => {
    paintFarSubjects(scene);
    paintRidges(scene);
  },
  dunes: (scene) => {
    paintFarSubjects(scene);
    paintDunes(scene);
  },
  city: (scene) => {
    paintFarSubjects(scene);
    paintCity(scene);
  },
  space: paintSpace,
  water: (scene) => {
    paintRidges(scene);
    // Before the water, which mirrors them.
    paintFarSubjects(scene);
    paintWater(scene);
  },
};

/** Red, green and blue of each pixel, row by row. */
export function paintSketch(wish: SketchWish & { readonly caption: boolean }): Buffer {
  const scene = createScene(wish);
  paintSky(scene);
  places[scene.place](scene);
  paintNearSubjects(scene);
  paintDrift(scene);
  const bytes = develop(scene.canvas, {
    style: wish.style ?? '',
    look: wish.look ?? '',
    seed: wish.seed,
  });
  if (wish.caption) {
    writeCaption({ bytes, width: wish.width, height: wish.height });
  }
  return bytes;
}
