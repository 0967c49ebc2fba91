/**
 * Features of the bot that are no commands, by the names under which they are counted. On a narrow phone there is room for
 * about 18 letters.
 */
import type { CountedFeature } from '#contract/endpoints/usage';

export const featureNames = {
  'Image generation': 'Image generation',
  'inline search': 'inline search',
  'now playing': 'now playing',
  'sticker filter': 'sticker filter',
  welcome: 'welcome',
} as const satisfies Readonly<Record<CountedFeature, string>>;
