/** What the hub itself says. */
export const hubTexts = {
  heading: 'AI Models',
  lead: 'Browse and generate AI images with models',
  providersLabel: 'Image providers',
  viewsLabel: 'Pix-AI',
  views: { generator: 'Generator', models: 'Models' },
} as const;
