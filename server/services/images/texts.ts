/** What users read about making and saving pictures. */

export const pictureTexts = {
  manyUnderWay: 'You have many pictures under way. Please wait until some are ready.',
  manyUploads: 'Many of your pictures are being saved. Please wait until some are saved.',
  /** All in pixels. */
  tooLarge: (width: number, height: number, max: number) =>
    `The picture has ${width} × ${height} pixels. At most ${max} on a side are possible.`,
} as const;
