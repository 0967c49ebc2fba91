/** Every sentence about the bot in a chat, the groups of settings, presets, and changing many settings at once. */
import { type MessageType } from '#contract/chats/message-types';
import { type Preset } from '#contract/chats/presets';

import { settings } from '../counted.ts';
import { type SettingGroup } from './setting-order.ts';

export const bulkTexts = {
  undo: 'Undo',
  undone: 'Undone: everything is as it was.',
  undoneBut: (skipped: number) =>
    `Undone, except for ${settings(skipped)} that somebody has changed since then.`,
  undoFailed: 'The change could not be undone. Please try again.',
  retry: 'Try again',
  nothingChanged: 'Nothing had to change: it was all set like this already.',
} as const;

export const groupTexts = {
  heading: {
    media: 'Media',
    objects: 'Objects',
    text: 'Text',
    origin: 'Origin',
    other: 'Other',
  } as const satisfies Record<SettingGroup, string>,
  blockAll: 'Block all',
  allowAll: 'Allow all',
  /** The name of a button: the same group is in every topic. */
  all: (deed: string, group: SettingGroup, topic: string) =>
    `${deed}: ${groupTexts.heading[group]}, ${topic}`,
  blockedAll: (group: SettingGroup, topic: string, count: number) =>
    `${groupTexts.heading[group]} in ${topic}: ${settings(count)} blocked.`,
  allowedAll: (group: SettingGroup, topic: string, count: number) =>
    `${groupTexts.heading[group]} in ${topic}: ${settings(count)} allowed.`,
};

/** What each setting is about, for somebody who does not know the words of the Bot API. */
export const explanations: Readonly<Record<MessageType, string>> = {
  photo: 'Pictures sent as photos, in albums, too.',
  video: 'Video clips, in albums, too.',
  animation: 'GIFs and short clips without sound.',
  audio: 'Music and other sound files.',
  voice: 'Recorded voice messages.',
  video_note: 'The round video messages.',
  document: 'Files of any kind, pictures sent as files, too.',
  sticker: 'Stickers: still, moving, or as video.',
  paid_media: 'Pictures and videos that cost Stars.',
  story: 'Stories that somebody shares here.',
  poll: 'Polls and quizzes.',
  checklist: 'To-do lists that can be ticked off.',
  location: 'Points on a map, live ones, too.',
  venue: 'Places with a name and an address.',
  contact: 'Somebody’s phone number as a card.',
  dice: 'Dice, darts and other emoji of chance.',
  game: 'Games to play inside Telegram.',
  giveaway: 'Giveaways, and who has won them.',
  text: 'Messages that are words alone.',
  url: 'Links, also those behind words.',
  mention: '@names of people, chats and bots.',
  hashtag: '#words and $words to search for.',
  bot_command: '/words that call a bot.',
  custom_emoji: 'Emoji that only Premium members have.',
  spoiler: 'Words and media hidden until tapped.',
  forward: 'Messages passed on from elsewhere.',
  via_bot: 'Messages made with an inline bot.',
};

export const presetTexts = {
  open: 'Presets',
  /** The name of the button: it is in every topic. */
  openFor: (topic: string) => `Presets, ${topic}`,
  heading: (topic: string) => `Presets for ${topic}`,
  choices: 'Choose how this topic should be',
  name: {
    announcements_only: 'Announcements only',
    text_only: 'Text only',
    photos_and_text: 'Photos and text',
    no_links_or_forwards: 'No links or forwards',
    quiet_night: 'Quiet night',
  } as const satisfies Record<Preset, string>,
  about: {
    announcements_only: 'Only administrators can write.',
    text_only: 'Words with their links, names and emoji.',
    photos_and_text: 'Photos, and words with links, names and emoji.',
    no_links_or_forwards: 'Everything but links, forwards and inline bots.',
    quiet_night: 'No sound, no motion, and nobody is called by name.',
  } as const satisfies Record<Preset, string>,
  preview: 'What will change',
  pick: 'Choose a preset to see what it changes.',
  nothing: 'Nothing: this topic is already set like this.',
  willBlock: (count: number) => `${settings(count)} will be blocked`,
  willAllow: (count: number) => `${settings(count)} will be allowed`,
  cancel: 'Cancel',
  apply: 'Apply',
  applied: (preset: Preset, topic: string, count: number) =>
    `${presetTexts.name[preset]} in ${topic}: ${settings(count)} changed.`,
};

export const healthTexts = {
  label: 'The bot in this chat',
  loading: 'Asking Telegram about the bot...',
  facts: {
    is_in: { yes: 'In the chat', no: 'Not in the chat' },
    may_delete: { yes: 'May delete', no: 'May not delete' },
    sees_all: { yes: 'Sees all messages', no: 'Misses messages' },
    is_forum: { yes: 'Topics are on', no: 'Topics are off' },
  },
  noBot: 'This server has no bot: your choices are kept, but nothing is deleted.',
  notListening:
    'The bot of this server does not listen: your choices are kept, but nothing is deleted.',
  good: 'All good: what you block is deleted.',
  addBot: (bot: string) => `Nothing is deleted until @${bot} is in the chat.`,
  addBotAction: 'Add the bot',
  giveRight: (bot: string) => `@${bot} needs the right “Delete messages”.`,
  giveRightAction: 'Give the right',
  seeAll: (bot: string) => `Make @${bot} an administrator, or turn its privacy mode off.`,
  seeAllAction: 'Make it admin',
  failed: 'How the bot fares here could not be found out.',
  stale: 'Telegram does not answer: this is how it was before.',
  retry: 'Try again',
} as const;
