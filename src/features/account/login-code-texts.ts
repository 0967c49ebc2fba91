/** The texts of a login that needs a code beside the password. */
export const loginCodeTexts = {
  send: 'Send OTP',
  sendAgain: 'Send another OTP',
  sent: 'If the password is right, a 6-digit OTP is on its way.',
  sendFailed: 'The OTP could not be sent. Please try again.',
} as const;
