/** The providers in the order of their tabs: the panel of each, and what the shared parts need to know of it. */
import { type ComponentType, lazy } from 'react';

import { type ProviderId } from '#contract/images/providers';

import { imagineKit } from './imagine/imagine-kit.ts';
import { midjourneyKit } from './midjourney/midjourney-kit.ts';
import { pixaiKit } from './pixai/pixai-kit.ts';
import { PixaiPanel } from './pixai/pixai-panel.tsx';
import { type ProviderKit } from './shared/provider-kit.ts';
import { type GenerationRecord } from './shared/records.ts';

type Provider = {
  readonly label: string;
  readonly Panel: ComponentType;
  /** Absent for one that makes no pictures. */
  readonly kit?: ProviderKit;
};

export const providers: Readonly<Record<ProviderId, Provider>> = {
  // Not lazy: it is what the prerendered page shows.
  pixai: { label: 'Pix-AI', Panel: PixaiPanel, kit: pixaiKit },
  kusa: {
    label: 'Kusa',
    Panel: lazy(() =>
      import('./kusa/kusa-panel.tsx').then(({ KusaPanel }) => ({ default: KusaPanel })),
    ),
  },
  'imagine-art': {
    label: 'Imagine Art',
    Panel: lazy(() =>
      import('./imagine/imagine-panel.tsx').then(({ ImaginePanel }) => ({ default: ImaginePanel })),
    ),
    kit: imagineKit,
  },
  midjourney: {
    label: 'MidJourney',
    Panel: lazy(() =>
      import('./midjourney/midjourney-panel.tsx').then(({ MidjourneyPanel }) => ({
        default: MidjourneyPanel,
      })),
    ),
    kit: midjourneyKit,
  },
};

/** What is known of a record's provider. */
export function kitOf({ provider }: GenerationRecord): ProviderKit | undefined {
  return providers[provider].kit;
}
