/** A place in a video as people read it. */

/** `mm:ss`, with as many minutes as there are; what is not known yet is 00:00. */
export function asClock(seconds: number): string {
  const whole = Number.isFinite(seconds) ? Math.floor(seconds) : 0;
  return [Math.floor(whole / 60), whole % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
