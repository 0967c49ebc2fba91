/** What the hub itself says. */
import { type ProviderId } from '#contract/images/providers';

export const hubTexts = {
  heading: 'AI Models',
  lead: 'Browse and generate AI images with models',
  providersLabel: 'Image providers',
  providers: {
    pixai: 'Pix-AI',
    kusa: 'Kusa',
    'imagine-art': 'Imagine Art',
    midjourney: 'MidJourney',
  } satisfies Record<ProviderId, string>,
  notYet: (name: string) => `${name} is not part of this version yet`,
  notYetHint: 'Pix-AI makes pictures from hundreds of models in the meantime.',
  openPixai: 'Open Pix-AI',
  viewsLabel: 'Pix-AI',
  views: { generator: 'Generator', models: 'Models' },
} as const;
