/** The providers in the order of their tabs, and the panel of each one that this version brings. */
import { type ComponentType } from 'react';

import { type ProviderId } from '#contract/images/providers';

import { PixaiPanel } from './pixai/pixai-panel.tsx';

export const providers = {
  pixai: PixaiPanel,
  kusa: undefined,
  'imagine-art': undefined,
  midjourney: undefined,
} as const satisfies Record<ProviderId, ComponentType | undefined>;
