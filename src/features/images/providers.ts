/** The providers in the order of their tabs: the panel of each, and what the shared parts need to know of it. */
import { type ComponentType, lazy } from 'react';

import { type ProviderId } from '#contract/images/providers';

import { imagineAdapter } from './imagine/imagine-adapter.ts';
import { midjourneyAdapter } from './midjourney/midjourney-adapter.ts';
import { pixaiAdapter } from './pixai/pixai-adapter.ts';
import { PixaiPanel } from './pixai/pixai-panel.tsx';
import { type ProviderAdapter } from './shared/provider-adapter.ts';
import { type GenerationRecord } from './shared/records.ts';

type Provider = {
  readonly label: string;
  readonly Panel: ComponentType;
  /** Absent for one that makes no pictures. */
  readonly adapter?: ProviderAdapter;
};

export const providers: Readonly<Record<ProviderId, Provider>> = {
  // Not lazy: it is what the prerendered page shows.
  pixai: { label: 'Pix-AI', Panel: PixaiPanel, adapter: pixaiAdapter },
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
    adapter: imagineAdapter,
  },
  midjourney: {
    label: 'MidJourney',
    Panel: lazy(() =>
      import('./midjourney/midjourney-panel.tsx').then(({ MidjourneyPanel }) => ({
        default: MidjourneyPanel,
      })),
    ),
    adapter: midjourneyAdapter,
  },
};

/** What is known of a record's provider. */
export function getAdapter({ provider }: GenerationRecord): ProviderAdapter | undefined {
  return providers[provider].adapter;
}
