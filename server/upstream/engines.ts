/** Which engine makes the pictures of which provider. */
import { type ImageEngine } from './image-engine.ts';
import { sketchEngine } from './sketch/sketch-engine.ts';

export type Engines = { readonly pixai: ImageEngine };

export function connectEngines(): Engines {
  return { pixai: sketchEngine };
}
