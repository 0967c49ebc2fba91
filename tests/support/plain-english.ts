/** Finds what is plain English on a page in the pseudo-language, where each letter of a text module has an accent. */
import { type Frame, type Page } from '@playwright/test';

/** Names, addresses and what is typed: alike in all languages. */
const sameEverywhere = [
  /\bNori\b/g,
  /https?:\S+|\bt\.me\S*/g,
  /(?<!\w)[/@]\w+/g,
  /\b[A-Z]+(?:_[A-Z]+)+\b/g,
  // Levels of the Authentication Log.
  /^(?:INFO|SUCCESS|WARNING|ERROR)$/g,
];

/**
 * The texts of the page, its visible ones and those for screen readers, that have a word in plain letters,
 * sorted. What `allowed` matches (each with the flag `g`) is left out before, such as data of the test.
 */
export async function plainEnglish(
  app: Frame | Page,
  allowed: readonly RegExp[] = [],
): Promise<string[]> {
  const texts = await app.evaluate(() => {
    const attributes = ['alt', 'aria-description', 'aria-label', 'placeholder', 'title'];
    const silent = 'script, style, noscript, template, code';
    const found = new Set([document.title]);
    for (const element of document.querySelectorAll('body *')) {
      if (element.checkVisibility({ visibilityProperty: true }) && !element.closest(silent)) {
        attributes.forEach((name) => found.add(element.getAttribute(name) ?? ''));
        for (const node of element.childNodes) {
          found.add(node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '');
        }
      }
    }
    return [...found];
  });
  const others = [...sameEverywhere, ...allowed];
  return texts
    .map((text) => text.trim())
    .filter((text) =>
      /[a-z]{2}/i.test(others.reduce((rest, each) => rest.replaceAll(each, ''), text)),
    )
    .toSorted();
}
