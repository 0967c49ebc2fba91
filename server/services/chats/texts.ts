/** What users read about verifying and changing chats. */
import { errorCodes } from '#contract/endpoints/errors';
import { codeRules } from '#server/lib/limits';
import { type ChatMember } from '#server/upstream/telegram/telegram';

const minutes = codeRules.lifetimeMs / 60_000;

export const chatTexts = {
  /** To the owner. The code comes first, so that it shows in the notification. */
  code: ({
    code,
    title,
    requester,
    isOwn,
  }: {
    readonly code: string;
    readonly title: string;
    readonly requester: ChatMember;
    readonly isOwn: boolean;
  }) =>
    [
      `${code} is the code to manage the chat “${oneLine(title)}” in Nori.`,
      isOwn
        ? 'You asked for it. Keep it to yourself: everyone who enters it may change what this chat blocks.'
        : `${describeMember(requester)} asked for it. If you pass it on, they may change what this chat blocks.`,
      `It is good for ${minutes} minutes. If you did not ask for this, ignore it.`,
    ].join('\n\n'),

  /** On the console of a server without a bot. */
  demoCode: ({ code, chatId }: { readonly code: string; readonly chatId: number }) =>
    `${code} is the code to manage the chat ${chatId} in Nori (demo: no bot connected).`,

  sentToYou: (title: string) => `A code for “${oneLine(title)}” was sent to you by Telegram.`,
  sentToOwner: (title: string) =>
    `A code was sent to the owner of “${oneLine(title)}” by Telegram. Ask them for it.`,
  onConsole: "Demo: no bot connected. The code is on the server's console.",

  ownerUnreachable: (bot: string) =>
    `${errorCodes.owner_unreachable.detail} https://t.me/${bot}?start=verify`,
  notInChat: 'You are not in this chat. Only its members can ask its owner for a code.',
  verifiedWithBot: 'This chat was verified with a bot, and no bot is connected right now.',
  /** To the user who has added the bot to a chat. */
  added: {
    ready: (title: string) =>
      `I am in “${oneLine(title)}” now, and may delete messages there. Two taps are left: show that the group is yours, and choose what I delete.`,
    needsRight: (title: string) =>
      `You have added me to “${oneLine(title)}”, but I may not delete messages there. Make me an administrator with the right “Delete messages”. The button shows how, and what comes next.`,
  },
  /** The same in the chat, when the bot may not write to that user. */
  addedInGroup: {
    ready: 'Hello! I delete what this group does not want. Its owner chooses in Nori what that is.',
    needsRight:
      'Hello! I may not delete messages here yet: make me an administrator with the right “Delete messages”. Then the owner of the group chooses in Nori what I delete.',
  },
  setUpGroup: 'Set up this group',
  tooManyTopics: (max: number) => `A chat can have at most ${max} topics.`,
  unknownSetting: 'There is no such setting',
  unknownTopics: (ids: readonly number[]) =>
    ids.length === 1
      ? `This chat has no topic ${ids[0]}.`
      : `This chat does not have ${ids.length} of these topics, among them ${ids[0]}.`,
  tooManyPages: 'You have too many pages open. Close some of them.',
  noBotToPick:
    'No bot listens on this server, so groups cannot be picked. Enter the Chat ID instead.',
  presetWithout: 'A change of the kind “preset” names its preset, and no other does.',
  presetBroken: 'These settings are not those of the preset.',
  malformedChatId: 'A Telegram chat ID is a number, such as -1001234567890',
} as const;

function describeMember({ firstName, username, telegramId }: ChatMember): string {
  const handle = username === undefined ? '' : `@${username}, `;
  return `${oneLine(firstName) || 'A member'} (${handle}ID ${telegramId})`;
}

/** Removes line breaks and bidirectional controls: with them a name could fake a sentence of ours. */
function oneLine(name: string): string {
  return name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, 128);
}
