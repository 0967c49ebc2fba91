/** Builds the app if it changed. Every command that reads `dist/` runs this first. */
import { ensureBuilt } from './lib/build.mjs';
import { giveUp } from './lib/say.mjs';

await ensureBuilt().catch(giveUp);
