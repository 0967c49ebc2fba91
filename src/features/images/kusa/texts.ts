/** Every sentence of the gallery of Kusa's styles. */
export const kusaTexts = {
  heading: 'Styles',
  list: 'Kusa styles',
  loading: 'Loading styles...',
  empty: 'No styles available.',
  retry: 'Try again',
  failed: 'The styles could not be loaded',
  notLoaded: 'Failed to load image',
  pill: (id: string) => `#${id}`,
  /** What a card is called: all that its pill can show. */
  name: (id: string, name: string) => `#${id}: ${name}`,
} as const;
