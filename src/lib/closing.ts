/** The question before the app is closed: it is asked as long as anybody has something to lose. */
import { getPlatform, onPlatformChange, type Platform } from './platform.ts';

const holders = new Set<object>();
let asking: Platform | undefined;

/** Called when it becomes known where the app runs, too: what was begun before is asked about there. */
function tell(): void {
  const wanted = holders.size > 0 ? getPlatform() : undefined;
  if (wanted !== asking) {
    asking?.confirmClosing(false);
    wanted?.confirmClosing(true);
    asking = wanted;
  }
}

onPlatformChange(tell);

/** Closing is asked about until the returned function is called, and as long as others hold it. */
export function holdClosing(): () => void {
  const holder = {};
  holders.add(holder);
  tell();
  return () => {
    holders.delete(holder);
    tell();
  };
}
