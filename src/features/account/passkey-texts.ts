/** The texts of logging in by passkey, and of what the browser says about passkeys. */
export const passkeyLoginTexts = {
  submit: 'Log in with a passkey',
  failed: 'The login did not work. Please try again.',
  notSupported: 'Your browser or device cannot use passkeys here.',
  known: 'This device already has a passkey for your account.',
} as const;
