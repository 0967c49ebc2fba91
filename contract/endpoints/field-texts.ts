/**
 * What users read about the fields of a request, said by the page before it is sent, or by the server. Every
 * page loads these.
 */

export const fieldTexts = {
  allFieldsRequired: 'All fields are required',
  incompleteCode: 'Please enter the complete 6-digit OTP',
  telegramIdMissing: 'A Telegram user ID is missing',
  telegramIdMalformed: 'A Telegram user ID is a number, such as 123456789',
  chatIdMissing: 'A Telegram chat ID is missing',
  chatIdMalformed: 'A Telegram chat ID is a number, such as -1001234567890',
  topicIdMissing: 'A topic ID is missing',
  topicIdMalformed: 'A topic ID is a number, and 0 is General',
  passwordTooLong: (max: number) => `Use at most ${max} characters for the password`,
} as const;
