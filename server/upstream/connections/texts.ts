/** What users read about services that they link. `service` is its name. */

export const serviceTexts = {
  busy: (service: string, wait: string) =>
    `${service} is asked too often right now. Please try again in ${wait}.`,
  unavailable: (service: string) =>
    `${service} does not answer right now. Please try again in a moment.`,
  expired: (service: string) =>
    `${service} says that this sign-in has expired. Please start again from Nori.`,
  serverRefused: (service: string) => `${service} refuses this server. Please tell its operator.`,
  signInRefused: (service: string) =>
    `${service} refused the sign-in. Please start again from Nori.`,
  spotifyAccount:
    'Spotify does not let this account use the app. Please ask the operator of this server: while the app is in development mode, it needs an owner with Spotify Premium, and only five users, whom the operator adds, can use it.',
} as const;
