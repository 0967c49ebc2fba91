/** Texts of the callback pages, of the linked accounts and of the now-playing card. */

export const callbackTexts = {
  connecting: (service: string) => `Connecting to ${service}...`,
  linked: 'Authorized successfully',
  failed: 'Authorization Failed',
  refused: (service: string, error: string) => `${service} authorization failed: ${error}`,
  missing: 'Missing code or state in the callback URL.',
  notCompleted: (service: string) => `Failed to complete ${service} authorization`,
  success: {
    spotify: 'Spotify account successfully linked! You can now use Spotify Now Playing in the bot.',
    anilist: 'AniList account successfully linked! You can now use AniList features in the bot.',
  },
  canClose: 'You can close this page and continue where you began.',
  startAgain: 'To try again, start from the dashboard in Nori.',
  /** The step with the code, in a browser in which the user is not logged in. `user` is the masked Telegram ID: •••789. */
  confirm: 'Enter the code',
  confirmLead: (service: string, user: string) =>
    `The bot has sent a code to Telegram user ${user}. With it, ${service} is linked to the Nori account of that user.`,
  confirmCare: 'Is that not you, or did someone else give you the code? Then close this page.',
  codeLabel: 'Code from the bot',
  codeBox: (position: number, length: number) => `Digit ${position} of ${length}`,
  codeIncomplete: 'Please enter all 6 digits.',
  link: (service: string) => `Link ${service}`,
  linking: 'Linking...',
  retry: 'Try again',
  toTelegram: 'Back to Telegram',
  toDashboard: 'Open the dashboard',
  noBot: 'No bot is linked yet.',
  /** For the operator alone. */
  setBot: 'Set BOT_TOKEN to link a bot.',
} as const;

export const accountTexts = {
  heading: 'Connected accounts',
  lead: 'Link what you use elsewhere. What Nori sees of it, it shows to you alone, and where you ask the bot for it.',
  label: 'Your connected accounts',
  loading: 'Loading your connected accounts...',
  failed: 'Your connected accounts could not be loaded.',
  retry: 'Try again',
  purpose: {
    spotify: 'Shows what you are listening to.',
    anilist: 'Shows what you watch, and your name there.',
  },
  linked: 'Linked',
  linkedAs: (name: string) => `Linked as ${name}`,
  /** `linked` is one of the two above, `since` and `until` are the next two. */
  state: '{linked} {since} {until}',
  since: (day: string) => `since ${day}`,
  until: (day: string) => `until ${day}`,
  endsSoon: (service: string, day: string) =>
    `${service} ends this link on ${day}. Link it again before then, and nothing stops.`,
  hasEnded: (service: string, day: string) =>
    `${service} was to end this link on ${day}. Link it again to go on.`,
  linkAgain: (service: string) => `Link ${service} again`,
  unavailable: 'Not set up on this server.',
  /** For operators: the names of environment variables. */
  setUp: (variables: string) => `To set it up, set ${variables}.`,
  link: (service: string) => `Link ${service}`,
  unlink: (service: string) => `Unlink ${service}`,
  nowPlaying: 'Now playing',
  waiting: (service: string) => `Finish at ${service}. This page notices when you are done.`,
  open: (service: string) => `Open ${service}`,
  cancel: 'Cancel',
  startFailed: (service: string) => `${service} could not be opened. Please try again.`,
  unlinkFailed: (service: string) => `${service} could not be unlinked. Please try again.`,
  isLinked: (service: string) => `${service} is linked.`,
  question: (service: string) => `Unlink ${service}`,
  questionText: {
    spotify:
      'Nori can then no longer see what you are listening to. Spotify still lists Nori among your apps: you can remove it there, too.',
    anilist:
      'Nori then forgets your name there. AniList still lists Nori among your apps: you can remove it there, too.',
  },
  confirm: 'Unlink',
} as const;

export const playingTexts = {
  heading: 'Spotify now playing',
  loading: 'Loading what is playing...',
  nothing: 'No track is playing',
  nothingHint: 'Start something in Spotify: it appears here by itself.',
  failed: 'Failed to load now playing data',
  failedBecause: (reason: string) => `Failed to load now playing data. ${reason}`,
  notStarted: 'Failed to initialize Spotify now playing',
  loginNeeded: 'Please log in to view Spotify now playing',
  login: 'Log in',
  retry: 'Try again',
  toAccounts: 'Open the dashboard',
  cover: 'Cover',
  albumCover: (album: string) => `Cover of ${album}`,
  progress: 'Progress',
  progressText: (elapsed: string, total: string) => `${elapsed} of ${total}`,
  open: 'Open Spotify',
  playing: 'Playing on Spotify',
  paused: 'Paused on Spotify',
} as const;
