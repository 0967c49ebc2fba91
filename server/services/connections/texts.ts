/** What the server says about linked accounts. */

export const connectionTexts = {
  linked: (label: string) => `${label} is linked.`,
  alreadyLinked: (label: string) => `${label} is linked already.`,
  notLinked: (label: string) => `You have not linked ${label} yet. You can do so in the dashboard.`,
  notSetUp: (label: string, variables: readonly string[]) =>
    `${label} is not connected on this server. Whoever runs it can set ${variables.join(' and ')}.`,
  foreignLink:
    'This link was started from another account. Please start it again from the account that you are logged in with here.',
  foreignPlaying: 'You can only see what you are listening to yourself.',
} as const;
