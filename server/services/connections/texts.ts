/** What users read about their linked accounts. `service` is its name. */

export const connectionTexts = {
  notLinked: (service: string) =>
    `You have not linked ${service} yet. You can do so in the dashboard.`,
  notSetUp: (service: string) => `${service} is not connected on this server.`,
  foreignLink:
    'This link was started from another account. Please start it again from the account that you are logged in with here.',
  /** The message of the bot: the code, one of the next two, and what to do. The code comes first, for the notification. */
  code: (code: string, service: string) =>
    `${code} is the code to link ${service} to your Nori account.`,
  agreed: (service: string) => `Someone has agreed to this at ${service}.`,
  /** `account` is the name of the account there. */
  agreedAs: (service: string, account: string) =>
    `Someone has agreed to this at ${service} as “${account}”.`,
  enterCode: (minutes: number) =>
    `If that was you, enter the code on the page that is open. It is good for ${minutes} minutes. If not, do nothing and do not share the code.`,
  codeSent: 'Enter the code that the bot has sent you.',
  unreachable: (service: string) =>
    `The bot may not write to you yet. Open the bot, press Start, and link ${service} again.`,
  tooManyCodes: 'Too many wrong codes. Nothing was linked. Please start again from Nori.',
  foreignPlaying: 'You can only see what you are listening to yourself.',
} as const;
