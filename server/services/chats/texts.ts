/** What users read about verifying and changing chats. `title` is the name of the chat. */

export const chatTexts = {
  /** To the owner, who asked for it. The code comes first, so that it shows in the notification. */
  codeForYou: (code: string, title: string, minutes: number) =>
    [
      codeIs(code, title),
      'You asked for it. Keep it to yourself: everyone who enters it may change what this chat blocks.',
      `${codeLife(minutes)} If you did not ask for this, ignore it.`,
    ].join('\n\n'),
  /** To the owner, when `requester` asked for it. */
  codeForOther: (code: string, title: string, requester: string, minutes: number) =>
    [
      codeIs(code, title),
      `${requester} asked for it. If you pass it on, they may change what this chat blocks.`,
      `${codeLife(minutes)} If you do not want that, ignore this message.`,
    ].join('\n\n'),
  /** A requester, by the first name. */
  memberWithUsername: (name: string, username: string, id: number) =>
    `${name} (@${username}, ID ${id})`,
  memberWithoutUsername: (name: string, id: number) => `${name} (ID ${id})`,
  namelessMember: 'A member',

  sentToYou: (title: string) => `A code for “${title}” was sent to you by Telegram.`,
  sentToOwner: (title: string) =>
    `A code was sent to the owner of “${title}” by Telegram. Ask them for it.`,
  onConsole: "Demo: no bot connected. The code is on the server's console.",

  notInChat: 'You are not in this chat. Only its members can ask its owner for a code.',
  verifiedWithBot: 'This chat was verified with a bot, and no bot is connected right now.',
  /** To the user who has added the bot to a chat. */
  added: {
    ready: (title: string) =>
      `I am in “${title}” now, and may delete messages there. Two taps are left: show that the group is yours, and choose what I delete.`,
    needsRight: (title: string) =>
      `You have added me to “${title}”, but I may not delete messages there. Make me an administrator with the right “Delete messages”. The button shows how, and what comes next.`,
  },
  /** The same in the chat, when the bot may not write to that user. */
  addedInGroup: {
    ready: 'Hello! I delete what this group does not want. Its owner chooses in Nori what that is.',
    needsRight:
      'Hello! I may not delete messages here yet: make me an administrator with the right “Delete messages”. Then the owner of the group chooses in Nori what I delete.',
  },
  setUpGroup: 'Set up this group',
  tooManyTopics: (max: number) => `A chat can have at most ${max} topics.`,
  tooManyValues: (max: number) =>
    `A chat can have at most ${max} values besides its locks. Switch some commands on again first.`,
  /** By what a chat has several of. */
  tooManyListed: {
    off: (max: number) => `A chat can have at most ${max} commands switched off.`,
    filter: (max: number) => `A chat can have at most ${max} answers. Remove one first.`,
    block: (max: number) => `A chat can block at most ${max} words and links. Remove one first.`,
    allow: (max: number) => `A chat can have at most ${max} exceptions. Remove one first.`,
    note: (max: number) => `A chat can have at most ${max} notes. Remove one first.`,
  },
  unknownContent: 'This text is not stored for this chat. Please save it again.',
  logChannelByPick: 'The log channel is picked from the list of channels in Telegram.',
  adultsByOwner: 'The owner of the chat switches this on, with /nsfwmode there.',
  unknownSetting: 'There is no such setting',
  unknownLanguage: 'The bot does not write this language.',
  unknownTopic: (id: number) => `This chat has no topic ${id}.`,
  /** `count` is 2 or more. */
  unknownTopics: (count: number, first: number) =>
    `This chat does not have ${count} of these topics, among them ${first}.`,
  tooManyPages: 'You have too many pages open. Close some of them.',
  noBotToPick:
    'No bot listens on this server, so groups cannot be picked. Enter the Chat ID instead.',
  presetWithout: 'A change of the kind “preset” names its preset, and no other does.',
  presetBroken: 'These settings are not those of the preset.',
  malformedChatId: 'A Telegram chat ID is a number, such as -1001234567890',
} as const;

const codeIs = (code: string, title: string) =>
  `${code} is the code to manage the chat “${title}” in Nori.`;
const codeLife = (minutes: number) => `It is good for ${minutes} minutes.`;
