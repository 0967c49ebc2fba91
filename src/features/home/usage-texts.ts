/**
 * Features that are no commands, by the names under which they are counted. On a narrow phone there is room for about
 * 18 letters.
 */
import type { CountedFeature } from '#contract/endpoints/usage';

export const featureNames = {
  'Image generation': 'Image generation',
} as const satisfies Readonly<Record<CountedFeature, string>>;
