/** The script of the join gate's own page: without React, and in the page itself. */
import { connectLightly } from '#lib/light-frame';
import { toVariables } from '#lib/palette';

import { startGate } from './page.ts';

const root = document.querySelector<HTMLElement>('[data-part="gate"]');
if (root !== null) {
  startGate(root, connectLightly(paint));
}

/** The script in the head has set the page's own colours at once; here the others follow. */
function paint(palette: Readonly<Record<string, string>>): string {
  const { style, dataset } = document.documentElement;
  // Without it the user has chosen a theme.
  const painted = style.getPropertyValue('--bg') === '' ? undefined : toVariables(palette);
  for (const [name, value] of Object.entries(painted?.variables ?? {})) {
    style.setProperty(name, value);
  }
  dataset['theme'] = painted?.theme ?? dataset['theme'] ?? 'light';
  const color = getComputedStyle(document.documentElement).getPropertyValue('--bg').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', color);
  return color;
}
