/** What the bot writes in chats, and what it tells the operator on the console. */

export const botTexts = {
  menuButton: 'Nori',

  openNori: 'Open Nori',
  openSettings: 'Open the settings',
  openConnections: 'Link services',
  openBot: 'Go on in private',
  setUp: 'Set up my group',
  addToGroup: 'Add me to a group',
  goOn: 'Go on',

  welcome:
    'Hello! I delete what your group does not want: photos, links, forwards and two dozen other kinds of message, each separately, and for each topic as you like.\n\n1. Add me to your group as an administrator who may delete messages.\n2. Open Nori and verify that the group is yours.\n3. Choose what is blocked.',
  /** For users who have added the bot to a group and not verified it yet. */
  groupWaits: 'I am in your group already. Go on where you left off: it takes two taps.',
  /** For users who follow the link of an error message in Nori. */
  reachable: 'Good: now I can write to you. Go back to Nori and ask for the code again.',
  chatLink: 'Here are the settings of your chat. Only those who manage it can change them.',
  linkServices: 'In Nori you can link Spotify and AniList, and unlink them at any time.',
  linkFromGroup: 'Services are linked in a private chat, where no one else can see it.',

  settingsInGroup: 'What this chat blocks is set in Nori, by those who manage it.',
  settingsInTopic: 'What this topic blocks is set in Nori, by those who manage the chat.',
  settingsInPrivate:
    'Settings belong to a group. Write /settings in the group (or in one of its topics), or open the list of your chats in Nori.',

  statusInPrivate: (uptime: string) => `I am well, and have been running for ${uptime}.`,
  mayDelete: 'I am well and may delete messages here: what is blocked in Nori is deleted at once.',
  mayNotDelete:
    'I am here, but may not delete messages, so nothing is blocked. Make me an administrator with the right “Delete messages”.',
  statusUnknown:
    'I am here, but Telegram does not tell me right now what I may do. Try again later.',

  blocked: (labels: readonly string[]) =>
    labels.length === 0 ? 'Nothing is blocked here.' : `Blocked here: ${labels.join(', ')}.`,

  help: (commands: string) =>
    `${commands}\n\nEverything else is in Nori.\n\nTelegram lets bots delete only messages of the last 48 hours, and hands them nothing that has waited for longer than 24 hours.`,

  /** For the operator. `reason` is Telegram's description. */
  failures: {
    unauthorized: (reason: string) =>
      `The bot receives nothing: Telegram does not know its token. Check BOT_TOKEN. (${reason})`,
    conflict: (reason: string) =>
      `The bot receives nothing: something else asks for its updates. Stop the other server with this BOT_TOKEN, or remove its webhook. (${reason})`,
    flooded: () => 'Telegram asks the bot to wait; it goes on by itself.',
    refused: (reason: string) => `Telegram refuses what the bot needs to work. (${reason})`,
    unreachable: () => 'Telegram does not answer the bot; it tries again until Telegram does.',
  } satisfies Record<string, (reason: string) => string>,
  noMiniApp: (publicUrl = '') =>
    publicUrl.startsWith('https:')
      ? `The bot has no main Mini App, so buttons in groups lead to its private chat first. Set one up at @BotFather (Bot Settings, Configure Mini App) with the address ${publicUrl}, and restart.`
      : 'The bot has no main Mini App, and PUBLIC_URL is no https address, so Telegram cannot open Nori. Set PUBLIC_URL, or set up a Mini App at @BotFather (Bot Settings, Configure Mini App), and restart.',
  setUpRefused: (reason: string) =>
    `Telegram refuses the bot’s list of commands or its menu button; everything else works. (${reason})`,
  worksAgain: 'The bot works again.',
} as const;
