/** What is said when MidJourney makes no picture. */
export const midjourneyFailures = {
  failed: 'Failed to generate image',
} as const;
