/** How long the user has to wait. */
import { waitTexts } from './wait-texts.ts';

/** A wait in words: "40 seconds", "2 minutes". */
export function formatWait(seconds: number): string {
  return seconds < 120
    ? waitTexts.seconds(Math.ceil(seconds))
    : waitTexts.minutes(Math.ceil(seconds / 60));
}
