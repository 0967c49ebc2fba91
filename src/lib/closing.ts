/** The question before the app is closed. It is asked while at least one part would lose something. */
import { getPlatform, onPlatformChange, type Platform } from './platform.ts';

const holders = new Set<object>();
let asking: Platform | undefined;

/** Also called when the platform becomes known. */
function update(): void {
  const wanted = holders.size > 0 ? getPlatform() : undefined;
  if (wanted !== asking) {
    asking?.confirmClosing(false);
    wanted?.confirmClosing(true);
    asking = wanted;
  }
}

onPlatformChange(update);

/** Asks before closing until the returned function is called. */
export function holdClosing(): () => void {
  const holder = {};
  holders.add(holder);
  update();
  return () => {
    holders.delete(holder);
    update();
  };
}
