/** The texts of logging in. */

export const loginTexts = {
  title: 'Log in',
  submit: 'Log In',
  busy: 'Logging in...',
  failed: 'Login failed. Please check your credentials.',
  unreachable: 'The server cannot be reached.',
  serverFailed: 'The server failed.',
  mayBeRight: (reason: string) => `${reason} Your password may be right.`,
  noAccount: "Don't have an account?",
  signUp: 'Sign up',
  forgot: 'Forgot your password?',
} as const;

/** The Authentication Log. */
export const logTexts = {
  title: 'Authentication Log',
  placeholder: 'Waiting for you to log in...',
  start: (telegramId: string) => `Logging in as Telegram user ${telegramId}`,
  request: (request: string) => `Request ${request}`,
  waiting: 'Waiting for the server to answer',
  success: (answer: string) => `Logged in. Session ${answer}`,
  status: (status: number) => `Server status: ${status}`,
  details: (details: string) => `Server details: ${details}`,
  noResponse: 'No response received from server',
  unreadable: 'Error: The answer has an unknown shape',
  error: (message: string) => `Error: ${message}`,
  hidden: '[hidden]',
} as const;
