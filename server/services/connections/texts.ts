/** What users read about their linked accounts. `service` is its name. */

export const connectionTexts = {
  notLinked: (service: string) =>
    `You have not linked ${service} yet. You can do so in the dashboard.`,
  notSetUp: (service: string) => `${service} is not connected on this server.`,
  foreignLink:
    'This link was started from another account. Please start it again from the account that you are logged in with here.',
  foreignPlaying: 'You can only see what you are listening to yourself.',
} as const;
