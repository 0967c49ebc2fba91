/** Names that others have chosen, as parts of our sentences. */

/** Removes line breaks and bidirectional controls: with them a name could fake a sentence of ours. */
export function oneLine(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, 128);
}
