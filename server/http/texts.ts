/** What users read when a request cannot be read. */

export const requestTexts = {
  notForm: 'Please send a form (Content-Type: multipart/form-data).',
  formUnreadable: 'The form cannot be read.',
  nulCharacter: 'A text cannot hold the character U+0000.',
  contradiction: 'The address and the body of the request contradict each other.',
  parameterTwice: 'A query parameter is given twice.',
} as const;
