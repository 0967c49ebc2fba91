/** The texts of the image hub around its providers. */
export const hubTexts = {
  heading: 'AI Models',
  lead: 'Browse and generate AI images with models',
  providers: 'Image providers',
  generator: 'Generator',
  models: 'Models',
} as const;
