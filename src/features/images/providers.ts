/** The providers in the order of their tabs: the panel of each, and what the shared parts need to know of it. */
import { type ComponentType } from 'react';

import { type ProviderId } from '#contract/images/providers';

import { type ProviderKit } from './common/provider-kit.ts';
import { type GenerationRecord } from './common/records.ts';
import { pixaiKit } from './pixai/pixai-kit.ts';
import { PixaiPanel } from './pixai/pixai-panel.tsx';

type Provider = {
  readonly label: string;
  readonly Panel: ComponentType | undefined;
  /** Absent for one that makes no pictures. */
  readonly kit?: ProviderKit;
};

export const providers: Readonly<Record<ProviderId, Provider>> = {
  pixai: { label: 'Pix-AI', Panel: PixaiPanel, kit: pixaiKit },
  kusa: { label: 'Kusa', Panel: undefined },
  'imagine-art': { label: 'Imagine Art', Panel: undefined },
  midjourney: { label: 'MidJourney', Panel: undefined },
};

/** What is known of a record's provider. */
export function kitOf({ provider }: GenerationRecord): ProviderKit | undefined {
  return providers[provider].kit;
}
