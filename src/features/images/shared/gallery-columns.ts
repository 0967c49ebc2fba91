/** How wide windows must be for how many columns of models, or of styles; `otherwise` from there on. */
export const galleryColumns = {
  otherwise: 4,
  below: { 600: 2, 800: 2, 1100: 3, 1400: 3 },
} as const;

/** Between cards, in px. */
export const galleryGap = 12;
