/** What users read about the fields of a new account. */
export const accountFieldTexts = {
  passwordTooShort: (min: number) => `Use at least ${min} characters for the password`,
  emailMalformed: 'Please enter a valid email address',
} as const;
