/** What the bot says about itself, and how it leads people to Nori. */

export const botTexts = {
  menuButton: 'Nori',
  /** What an empty chat with the bot shows; at most 512 characters. */
  description:
    'I delete what your group does not want: photos, links, forwards and two dozen other kinds of message, each separately, and for each topic as you like.\n\nPress Start, or open Nori.',
  /** What the bot’s profile shows; at most 120 characters. */
  shortDescription: 'Deletes what your group does not want, for each topic as you like.',

  groupsOnly: 'This works in groups only.',
  /** By a button, an anonymous administrator shows who they are. */
  confirm: {
    question:
      'You are anonymous, so I cannot see what you may do. Press the button within a minute.',
    button: 'Confirm: I am an administrator',
    over: 'This button has expired.',
  },

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
  /** For users who open the link of a page that waits for a code. */
  codeLinkOver: 'This link is no longer good, or it is not yours. Go back to Nori and begin again.',
  chatLink: 'Here are the settings of your chat. Only those who manage it can change them.',
  linkServices: 'In Nori you can link Spotify and AniList, and unlink them at any time.',
  linkFromGroup: 'Services are linked in a private chat, where no one else can see it.',

  settingsInGroup: 'What this chat blocks is set in Nori, by those who manage it.',
  settingsInTopic: 'What this topic blocks is set in Nori, by those who manage the chat.',
  settingsInPrivate:
    'Settings belong to a group. Write /settings in the group (or in one of its topics), or open the list of your chats in Nori.',

  statusInPrivate: (uptime: string) => `I am well, and have been running for ${uptime}.`,
  /** Added to what is blocked. */
  latency: (milliseconds: number) => `Telegram answered in ${milliseconds} ms.`,
  /** `rights` are rights with commas between. */
  missingRights: (rights: string) =>
    `For some commands I need further rights: ${rights}. Give them to me in the list of administrators.`,
  mayDelete: 'I am well and may delete messages here: what is blocked in Nori is deleted at once.',
  mayNotDelete:
    'I am here, but may not delete messages, so nothing is blocked. Make me an administrator with the right “Delete messages”.',
  statusUnknown:
    'I am here, but Telegram does not tell me right now what I may do. Try again later.',

  nothingBlocked: 'Nothing is blocked here.',
  /** `labels` are message types with commas between. */
  blocked: (labels: string) => `Blocked here: ${labels}.`,

  /** About the recipe inside of a picture’s file. */
  recipe: {
    found: 'The recipe of this picture:',
    negativePrompt: (text: string) => `Negative prompt: ${text}`,
    model: (name: string) => `Model: ${name}`,
    seed: (digits: string) => `Seed: ${digits}`,
    size: (width: number, height: number) => `Size: ${width} × ${height}`,
    remix: 'Remix',
    none: 'No recipe in this file. Messengers and many sites remove it: send me the original picture as a file.',
    photo: 'Telegram removes the recipe from photos. Send me the picture as a file, and I read it.',
    tooLarge: 'I can read files of up to 20 MB.',
    unread: 'I could not fetch the file from Telegram. Send it again.',
  },

  help: (commands: string) =>
    `${commands}\n\nEverything else is in Nori.\n\nTelegram lets bots delete only messages of the last 48 hours, and hands them nothing that has waited for longer than 24 hours.`,
} as const;
