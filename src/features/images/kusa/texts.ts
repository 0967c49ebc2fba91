/** The texts of Kusa. */
export const kusaTexts = {
  loading: 'Loading styles...',
  none: 'No styles available.',
  retry: 'Try again',
  heading: 'Styles',
  label: 'Kusa styles',
  notLoaded: 'Failed to load image',
  /** The accessible name of a style: its number and its first name. */
  style: (id: string, name: string) => `#${id}: ${name}`,
} as const;
