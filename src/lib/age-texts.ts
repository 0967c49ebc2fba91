/** The question for the user's age. */
export const ageTexts = {
  title: 'Age Confirmation',
  question:
    'The content in this section is intended for adults (18+) only. Please confirm that you are at least 18 years old and want to see it.',
  cancel: 'Cancel',
  confirm: 'I am 18+',
} as const;
