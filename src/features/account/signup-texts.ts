/** The texts of signing up. */
export const signupTexts = {
  title: 'Create Account',
  lead: 'The bot sends you a one-time password on Telegram to confirm that it is you.',
  newcomer: 'Hi, nice to meet you! Two more fields and a code, and your account is ready.',
  newcomerNamed: (firstName: string) =>
    `Hi ${firstName}, nice to meet you! Two more fields and a code, and your account is ready.`,
  submit: 'Continue',
  busy: 'Sending OTP...',
  passwordsDiffer: 'Passwords do not match',
  failed: 'Registration failed. Please try again.',
  haveAccount: 'Already have an account?',
  email: 'Email Address',
  confirmPassword: 'Confirm Password',
  showConfirmPassword: 'Show confirmed password',
  waitingCode: (telegramId: string) => `A code is on its way to Telegram user ${telegramId}.`,
  enterCode: 'Enter the code',
} as const;

/** The step with the one-time password. */
export const otpTexts = {
  title: 'Verify OTP',
  lead: (telegramId: string) => `Enter the 6-digit OTP sent on Telegram to user ${telegramId}.`,
  /** No code was sent: the bot sends it when it is opened by the link below. */
  leadByStart: (telegramId: string) =>
    `Open the bot as Telegram user ${telegramId} and press Start. It sends you a 6-digit OTP.`,
  label: 'One-time password',
  box: (position: number, length: number) => `Digit ${position} of ${length}`,
  submit: 'Verify OTP',
  busy: 'Verifying...',
  incomplete: 'Please enter the complete 6-digit OTP',
  failed: 'OTP verification failed. Please try again.',
  resend: 'Resend OTP',
  /** `wait` as `formatWait` writes it. */
  resendIn: (wait: string) => `You can resend in ${wait}.`,
  resent: 'A new OTP is on its way.',
  resendFailed: 'Failed to resend OTP',
  noCode: 'No code? {link} and press Start, then resend.',
  /** Where the bot sends the code by itself when it is opened by the link. */
  noCodeByStart: 'No code? {link} and press Start.',
  noCodeLink: 'Open the bot',
  noBot: 'No bot is linked yet.',
  /** Shown only to the operator. */
  setBot: (variable: string) =>
    `Set ${variable} to link the bot. A server without a bot prints the code on its console.`,
  back: 'Change details',
} as const;
