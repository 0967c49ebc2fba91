/** Finds texts of a page that do not fit: cut by a box, beyond a button, or over another text. */
/* oxlint-disable eslint/complexity, eslint/max-depth -- All of it runs inside the page, as one function. */
import { type Frame, type Page } from '@playwright/test';

/**
 * The texts that do not fit into their places as the page is laid out now, each with what is wrong, sorted. Names of
 * users' things (`dir="auto"`, `<bdi>`) may end with three dots; what can be scrolled to is not cut.
 */
export const findCutTexts = (app: Frame | Page) =>
  app.evaluate(() => {
    /** Rounded edges of letters, in px. */
    const slack = 2;
    type Box = { left: number; right: number; top: number; bottom: number };
    type Found = { element: Element; text: string; boxes: Box[] };

    const isHidden = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      const { clipPath, opacity } = getComputedStyle(element);
      return (width <= 1 && height <= 1) || clipPath === 'inset(50%)' || opacity === '0';
    };
    const ancestors = (element: Element) => {
      const all: Element[] = [];
      for (let one: Element | null = element; one; one = one.parentElement) {
        all.push(one);
      }
      return all;
    };
    const isName = (element: Element) => element.closest('[dir="auto"], bdi, code, pre') !== null;
    const name = ({ element, text }: Found) => {
      const place = ancestors(element)
        .slice(0, 3)
        .map((one) => `${one.localName}${one.className === '' ? '' : `.${one.className}`}`)
        .toReversed()
        .join(' > ');
      return `“${text.slice(0, 60)}” (${place})`;
    };

    const texts: Found[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const silent = 'script, style, noscript, template, option, textarea, [aria-hidden="true"] svg';
    const modal = [...document.querySelectorAll('dialog:modal')].at(-1);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = (walker.currentNode.textContent ?? '').trim();
      if (
        element &&
        text !== '' &&
        !element.closest(silent) &&
        (!modal || modal.contains(element)) &&
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !ancestors(element).some(isHidden)
      ) {
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 1);
        texts.push({ element, text, boxes });
      }
    }

    const wrong: string[] = [];
    const report = (found: Found, what: string) => wrong.push(`${name(found)} ${what}`);

    /** Of each text the parts that its scroll containers and clipping boxes show. */
    const shown = new Map<Found, Box[]>();
    for (const found of texts) {
      let boxes: Box[] = found.boxes;
      const done = { x: false, y: false };
      for (const box of ancestors(found.element)) {
        const style = getComputedStyle(box);
        if (box === document.body || style.display === 'inline' || style.display === 'contents') {
          continue;
        }
        const edge = box.getBoundingClientRect();
        const isControl = box.matches('button, a, [role="button"], label, summary, [role="tab"]');
        const mayEnd = isName(found.element) || /-\d{6,}$/.test(found.text);
        for (const [axis, flow] of [
          ['x', style.overflowX],
          ['y', style.overflowY],
        ] as const) {
          const isOutside = boxes.some(({ left, right, top, bottom }) =>
            axis === 'x'
              ? left < edge.left - slack || right > edge.right + slack
              : // Letters may reach over their line.
                (top + bottom) / 2 < edge.top || (top + bottom) / 2 > edge.bottom,
          );
          const clips = /hidden|clip/.test(flow);
          if (!done[axis] && isOutside && (clips || isControl) && !(clips && mayEnd)) {
            report(
              found,
              clips ? `is cut by ${box.localName}.${box.className}` : 'leaves its button',
            );
            done[axis] = true;
          }
          if (flow !== 'visible') {
            done[axis] = true;
            boxes = boxes
              .map((one) => ({
                left: axis === 'x' ? Math.max(one.left, edge.left) : one.left,
                right: axis === 'x' ? Math.min(one.right, edge.right) : one.right,
                top: axis === 'y' ? Math.max(one.top, edge.top) : one.top,
                bottom: axis === 'y' ? Math.min(one.bottom, edge.bottom) : one.bottom,
              }))
              .filter(({ left, right, top, bottom }) => right > left && bottom > top);
          }
        }
        if (style.position === 'fixed') {
          break;
        }
      }
      shown.set(found, boxes);
    }

    /** Texts of one layer lie over each other only by mistake. */
    const layer = (element: Element) =>
      ancestors(element).find((one) =>
        /fixed|sticky|absolute/.test(getComputedStyle(one).position),
      );
    const lines = [...shown]
      .flatMap(([found, boxes]) =>
        boxes.map((box) => ({ found, box, layer: layer(found.element) })),
      )
      .toSorted((one, other) => one.box.top - other.box.top);
    lines.forEach((one, index) => {
      for (const other of lines.slice(index + 1)) {
        if (other.box.top > one.box.bottom) {
          break;
        }
        const width =
          Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const height =
          Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (
          one.found.element !== other.found.element &&
          one.layer === other.layer &&
          width > slack &&
          height > (one.box.bottom - one.box.top) / 3
        ) {
          report(one.found, `lies over “${other.found.text.slice(0, 40)}”`);
        }
      }
    });

    /** A menu shows what is chosen in one line. */
    const ruler = document.createElement('span');
    document.body.append(ruler);
    for (const menu of document.querySelectorAll('select')) {
      const { font, paddingLeft, paddingRight } = getComputedStyle(menu);
      const room =
        menu.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      ruler.style.cssText = `position: fixed; white-space: nowrap; font: ${font}`;
      ruler.textContent = menu.selectedOptions[0]?.textContent ?? '';
      const isShown = menu.checkVisibility() && (!modal || modal.contains(menu));
      if (isShown && ruler.getBoundingClientRect().width > room + 1) {
        wrong.push(`“${ruler.textContent}” (select) is cut by its menu`);
      }
    }
    ruler.remove();
    return [...new Set(wrong)].toSorted();
  });
