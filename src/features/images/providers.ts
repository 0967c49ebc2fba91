/** The registry of providers: the tab, the panel and the adapter of each. */
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
  /** Absent for a provider that makes no pictures. */
  readonly adapter?: ProviderAdapter;
};

export const providers: Readonly<Record<ProviderId, Provider>> = {
  // Not lazy, as the prerendered page shows it.
  pixai: { label: 'Pix-AI', Panel: PixaiPanel, adapter: pixaiAdapter },
  kusa: {
    label: 'Kusa',
    Panel: lazy(async () => ({ default: (await import('./kusa/kusa-panel.tsx')).KusaPanel })),
  },
  'imagine-art': {
    label: 'Imagine Art',
    Panel: lazy(async () => ({
      default: (await import('./imagine/imagine-panel.tsx')).ImaginePanel,
    })),
    adapter: imagineAdapter,
  },
  midjourney: {
    label: 'MidJourney',
    Panel: lazy(async () => ({
      default: (await import('./midjourney/midjourney-panel.tsx')).MidjourneyPanel,
    })),
    adapter: midjourneyAdapter,
  },
};

/** The adapter of a record's provider. */
export function getAdapter({ provider }: GenerationRecord): ProviderAdapter | undefined {
  return providers[provider].adapter;
}
