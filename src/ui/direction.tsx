/** Which way the page's lines run. Style sheets have `--direction` for it. */

/**
 * 1 where lines run to the right, -1 where they run to the left: a factor for what moves sideways. Read from the page
 * and not from its language, so that the same build can be tried in both directions.
 */
export function pageDirection(): 1 | -1 {
  return document.documentElement.dir === 'rtl' ? -1 : 1;
}

/** An arrow key as a page from left to right would get it: ArrowRight goes on, wherever that is. */
export function readingKey(key: string): string {
  const turned: Readonly<Record<string, string>> = {
    ArrowLeft: 'ArrowRight',
    ArrowRight: 'ArrowLeft',
  };
  return pageDirection() === 1 ? key : (turned[key] ?? key);
}
