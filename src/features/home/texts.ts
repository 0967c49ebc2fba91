/** The texts of Home. */

export const texts = {
  greeting: (firstName: string) => `Hi, ${firstName}`,
  summary:
    'Moderate topics, warn and mute by command, make art. Set it all up here, in Telegram or in any browser.',
  openBot: 'Open the Bot',
  login: 'Login',
  signup: 'Sign Up',
  noBot: 'No bot is linked yet.',
  /** For the operator alone. As short as `noBot`, so that nothing moves when it replaces it. */
  setBot: 'Set BOT_TOKEN to link a bot.',

  /** The scenes beside the mascot: after a command, the topic where it was sent; and a song. */
  scenes: { place: 'in #general', player: 'Now playing' },

  usage: {
    heading: 'One bot, the whole group',
    lead: 'What people ask of it, counted as it happens.',
    total: 'Total Usage',
    today: "Today's Usage",
    loading: 'Loading...',
    empty: 'None yet.',
    emptyToday: 'None today.',
    failed: 'The figures could not be loaded.',
    retry: 'Try again',
    showAll: (count: number) => `Show all ${count}`,
    showFewer: 'Show fewer',
    demo: 'demo: no bot connected',
  },
  cards: {
    multiPurpose: {
      title: 'Multi-purpose',
      body: 'Locks, warnings, bans, reports and topics: one bot in the place of several, and a dashboard beside it.',
    },
    generate: {
      title: 'Generate content',
      body: 'Pictures from a sentence and a model, painted here and kept in one history.',
    },
    inline: {
      title: 'Inline query',
      body: 'Type its name in any chat and search without leaving it: this comes with a later version.',
    },
    always: {
      title: '24/7 availability',
      body: 'Night shift included: rules are kept and commands answered around the clock.',
    },
  },

  telegram: {
    heading: 'At home in Telegram',
    lead: 'Start a chat with the bot, add it to your group, and hear of new things first in the updates channel.',
    updates: 'Updates Channel',
    noUpdates: 'Updates Channel: Not linked yet.',
    /** For the operator alone. */
    setUpdates: (variable: string) => `Updates Channel: Set ${variable} to link this.`,
    scan: 'Open in Telegram',
    scanHint: 'Scan with your phone',
    qrCode: (href: string) => `QR code that opens ${href}`,
  },

  account: {
    heading: 'Create an account',
    lead: 'All it takes is your Telegram user ID and a code that the bot sends you. Then every chat that you own is yours to set up.',
  },
} as const;
