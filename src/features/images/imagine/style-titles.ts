/** What a style is called; one that nobody knows is called by its id. */
import { imagineTexts } from './texts.ts';

export function getStyleTitle(style = ''): string {
  const known = Object.entries(imagineTexts.styles).find(([id]) => id === style);
  return known?.[1].title ?? style;
}
