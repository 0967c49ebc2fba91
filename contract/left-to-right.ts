/** What is written from left to right inside of sentences that are not. */

/**
 * Isolates addresses, usernames and negative numbers of an ICU pattern, whose first or last mark
 * would otherwise move to their other side: "ada@", "1001234567890-". For right-to-left languages.
 */
export function isolateLeftToRight(pattern: string): string {
  return pattern.replaceAll(
    /(?<![^\s(«])(?:https?:\/\/[^\s»]*|@(?:[A-Za-z]\w*|\{\w+\}))|(?<=\s)-\d+/g,
    '\u2066$&\u2069',
  );
}
