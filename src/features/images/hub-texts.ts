/** What the hub itself says. */
export const hubTexts = {
  heading: 'AI Models',
  lead: 'Browse and generate AI images with models',
  providersLabel: 'Image providers',
  notYet: (name: string) => `${name} is not part of this version yet`,
  notYetHint: 'Pix-AI makes pictures from hundreds of models in the meantime.',
  openPixai: 'Open Pix-AI',
  viewsLabel: 'Pix-AI',
  views: { generator: 'Generator', models: 'Models' },
} as const;
