/** Every sentence of the account's screens. */

/** A wait as people say it. */
function wait(seconds: number): string {
  const [count, unit] =
    seconds < 120 ? [Math.ceil(seconds), 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

export const texts = {
  fields: {
    telegramId: 'Telegram User ID',
    telegramIdHint: 'A number, such as 123456789. Any "my ID" bot on Telegram tells you yours.',
    telegramIdKnown: 'This is the Telegram account that opened the app.',
    notYou: 'Not you?',
    email: 'Email Address',
    password: 'Password',
    showPassword: 'Show password',
    newPasswordHint: (min: number) =>
      `At least ${min} characters; a short sentence is easier to remember than a riddle.`,
    confirmPassword: 'Confirm Password',
    showConfirmPassword: 'Show confirmed password',
  },

  allFieldsRequired: 'All fields are required',
  tryAgainIn: (seconds: number) => `You can try again in ${wait(seconds)}.`,

  login: {
    title: 'Log in',
    submit: 'Log In',
    busy: 'Logging in...',
    failed: 'Login failed. Please check your credentials.',
    noAccount: "Don't have an account?",
    signUp: 'Sign up',
    signUpAgain: 'Sign up again',
  },

  log: {
    title: 'Authentication Log',
    placeholder: 'Waiting for you to log in...',
    start: (telegramId: string) => `Logging in as Telegram user ${telegramId}`,
    request: (request: string) => `Request ${request}`,
    waiting: 'Waiting for the server to answer',
    success: (answer: string) => `Logged in. Session ${answer}`,
    status: (status: number) => `Server status: ${status}`,
    details: (details: string) => `Server details: ${details}`,
    noResponse: 'No response received from server',
    error: (message: string) => `Error: ${message}`,
    hidden: '[hidden]',
  },

  signup: {
    title: 'Create Account',
    lead: 'The bot sends you a one-time password on Telegram to confirm that it is you.',
    newcomer: (firstName: string | undefined) =>
      `Hi${firstName === undefined ? '' : ` ${firstName}`}, nice to meet you! Two more fields and a code, and your account is ready.`,
    submit: 'Continue',
    busy: 'Sending OTP...',
    passwordsDiffer: 'Passwords do not match',
    failed: 'Registration failed. Please try again.',
    haveAccount: 'Already have an account?',
    logIn: 'Log in',
    waitingCode: (telegramId: string) => `A code is on its way to Telegram user ${telegramId}.`,
    enterCode: 'Enter the code',
  },

  otp: {
    title: 'Verify OTP',
    lead: (telegramId: string) => `Enter the 6-digit OTP sent on Telegram to user ${telegramId}.`,
    label: 'One-time password',
    box: (position: number, length: number) => `Digit ${position} of ${length}`,
    submit: 'Verify OTP',
    busy: 'Verifying...',
    incomplete: 'Please enter the complete 6-digit OTP',
    failed: 'OTP verification failed. Please try again.',
    resend: 'Resend OTP',
    resendIn: (seconds: number) => `You can resend in ${wait(seconds)}.`,
    resent: 'A new OTP is on its way.',
    resendFailed: 'Failed to resend OTP',
    noCode: { before: 'No code? ', link: 'Open the bot', after: ' and press Start, then resend.' },
    botUnset: (variable: string) =>
      `The bot's link is not set: whoever runs this site sets ${variable}. A server without a bot prints the code on its console.`,
    back: 'Change details',
  },
} as const;
