/** Columns of the galleries of models and of styles, by the window's width in px; `otherwise` above. */
export const galleryColumns = {
  otherwise: 4,
  below: { 600: 2, 800: 2, 1100: 3, 1400: 3 },
} as const;

/** Between cards, in px. */
export const galleryGap = 12;
