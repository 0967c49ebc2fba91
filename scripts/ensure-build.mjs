/** Builds the app if it changed: the first half of every command that looks at `dist/`. */
import { ensureBuilt } from './lib/build.mjs';
import { giveUp } from './lib/say.mjs';

await ensureBuilt().catch(giveUp);
