/** What can be measured of a screen: the rules of axe, the size of what is pressed, and whether it is too wide. */
import { type Frame, type Page } from '@playwright/test';
import type axeCore from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A line of JSON is as tall as its text, and so is the arrow that folds it. */
const inLine = /^button: (?:Fold|Unfold) line \d/;

type ViolationOptions = {
  /** Only these rules of axe; without them all. */
  readonly rules?: readonly string[];
  /** A selector of the part to look at; without it the whole page. */
  readonly within?: string;
};

/** The minified build: every page that is checked has to parse it. */
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only an interface is merged with that of the DOM.
  interface Window {
    /** Undefined until the page is checked. */
    readonly axe?: typeof axeCore;
  }
}

/** The rules of axe that the app breaks, each with the elements that break it. */
export async function findViolations(
  page: Page,
  { rules, within }: ViolationOptions = {},
): Promise<readonly string[]> {
  // In the simulated web clients the app is the only frame; what surrounds it is Telegram's.
  const app = page.frames().at(-1) ?? page.mainFrame();
  if (await app.evaluate(() => window.axe === undefined)) {
    await app.evaluate(axeSource);
  }
  const found = await app.evaluate(
    ([part, only]) =>
      window.axe?.run(
        {
          include: [part],
          // Telegram draws its header and its main button.
          exclude: [['body > header'], ['#main-button']],
        },
        { resultTypes: ['violations'], ...(only && { runOnly: [...only] }) },
      ),
    [within ?? 'html', rules] as const,
  );
  if (found === undefined) {
    throw new Error('axe is not in the page');
  }
  return found.violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => target.join(' ') !== 'html')
      .map(({ target }) => `${id}: ${target.join(' ')}`),
  );
}

/** Returns by how many px the page is too wide, once the layout has followed the window. */
export const measureOverflow = (app: Frame | Page) =>
  app.evaluate(async () => {
    const overflow = () =>
      document.documentElement.scrollWidth - document.documentElement.clientWidth;
    const deadline = performance.now() + 10_000;
    while (overflow() > 0 && performance.now() < deadline) {
      await new Promise(requestAnimationFrame);
    }
    return overflow();
  });

/** Lists what can be pressed and is smaller than 44 px (less half a pixel of rounding). */
export const findSmallTargets = async (app: Frame) => {
  const targets = await app.evaluate(() => {
    /** Some targets are pressed by all of the tile that they stand in, drawn as `::after`. */
    function targetSize(target: Element) {
      const { width, height } = target.getBoundingClientRect();
      const tile = getComputedStyle(target, '::after');
      const isTile = tile.position === 'absolute' && tile.pointerEvents !== 'none';
      const [tileWidth, tileHeight] = isTile
        ? [Number.parseFloat(tile.width) || 0, Number.parseFloat(tile.height) || 0]
        : [0, 0];
      return { width: Math.max(width, tileWidth), height: Math.max(height, tileHeight) };
    }

    return [...document.querySelectorAll('a, button, input, [role="switch"]')].flatMap(
      (element) => {
        const target = element.closest('label') ?? element;
        const { width, height } = target.getBoundingClientRect();
        const isShown =
          width > 1 && height > 1 && getComputedStyle(target).visibility === 'visible';
        // WCAG exempts a link inside a sentence.
        const isInText =
          element.localName === 'a' && getComputedStyle(element).display === 'inline';
        const label = `${element.localName}: ${element.ariaLabel ?? element.textContent}`;
        return isShown && !isInText ? [{ label, ...targetSize(target) }] : [];
      },
    );
  });
  return targets
    .filter(
      ({ label, width, height }) =>
        (width < 43.5 || height < 43.5) && !(inLine.test(label) && width >= 43.5),
    )
    .map(({ label, width, height }) => `${label} is ${width}×${height}`);
};
