/** The texts of message types, of their groups, and of presets. */
import { type MessageType } from '#contract/chats/message-types';
import { type Preset } from '#contract/chats/presets';

import { type SettingGroup } from './setting-order.ts';
import { countTexts } from './texts.ts';

const countTypes = (count: number) => `${count} ${count === 1 ? 'message type' : 'message types'}`;

export const groupTexts = {
  heading: {
    media: 'Media',
    objects: 'Objects',
    text: 'Text',
    origin: 'Origin',
    content: 'Content',
    service: 'Service',
    other: 'Other',
  } as const satisfies Record<SettingGroup, string>,
  more: 'More',
  blockAll: 'Block all',
  allowAll: 'Allow all',
  /** The button's accessible name: every topic has this group. */
  all: (action: string, group: string, topic: string) => `${action}: ${group}, ${topic}`,
  blockedAll: (group: string, topic: string, count: number) =>
    `${group} in ${topic}: ${countTexts.settings(count)} blocked.`,
  allowedAll: (group: string, topic: string, count: number) =>
    `${group} in ${topic}: ${countTexts.settings(count)} allowed.`,
};

/** Changing one message type in all topics of a chat. */
export const allTopicsTexts = {
  /** The accessible name of the row's button: every topic has this row. */
  menu: (label: string, topic: string) => `All topics: ${label}, ${topic}`,
  block: 'Block in all topics',
  allow: 'Allow in all topics',
  blocked: (label: string, count: number) => `${label} blocked in ${countTexts.topics(count)}.`,
  allowed: (label: string, count: number) => `${label} allowed in ${countTexts.topics(count)}.`,
  hint: 'Hold a message type to change it in all topics.',
};

/** Explains each message type to users who do not know the words of the Bot API. */
export const explanations: Readonly<Record<MessageType, string>> = {
  photo: 'Pictures, in albums, too.',
  video: 'Video clips, in albums, too.',
  animation: 'GIFs and short silent clips.',
  audio: 'Music and other sound files.',
  voice: 'Recorded voice messages.',
  video_note: 'The round video messages.',
  document: 'Files, also pictures as files.',
  sticker: 'Stickers, moving ones, too.',
  paid_media: 'Media that costs Stars.',
  story: 'Stories shared in the chat.',
  poll: 'Polls and quizzes.',
  checklist: 'To-do lists to tick off.',
  location: 'Points on a map, live, too.',
  venue: 'Places with an address.',
  contact: 'A phone number as a card.',
  dice: 'Dice, darts and the like.',
  game: 'Games inside Telegram.',
  giveaway: 'Giveaways and their winners.',
  text: 'Messages of words alone.',
  url: 'Links, also behind words.',
  mention: '@names of people or bots.',
  hashtag: '#words and $words.',
  bot_command: '/words that call a bot.',
  custom_emoji: 'Emoji of Premium members.',
  spoiler: 'Hidden until it is tapped.',
  forward: 'Messages from elsewhere.',
  via_bot: 'Made by an inline or guest bot.',
  external_reply: 'Answers that show a message or story of another chat.',
  quote: 'Answers that quote words of a message.',
  email: 'E-mail addresses.',
  phone_number: 'Phone numbers in words.',
  gift: 'Gifts that are sent or upgraded.',
  invoice: 'Bills that a bot sends.',
  channel_sender: 'Written in the name of a channel, except the linked one.',
  invite_link: 'Links to join a Telegram chat.',
  new_member: '“… joined the group”.',
  left_member: '“… left the group”.',
  pinned_message: '“… pinned a message”. The message stays pinned.',
  title_change: 'The group has a new name.',
  photo_change: 'The group has a new picture, or none.',
  topic_change: 'A topic was renamed, closed or opened.',
  list_change: 'A task was done, or a list or poll got longer.',
  video_chat: 'A video chat was planned, began or ended.',
  boost: 'The group was boosted, or a giveaway began or ended.',
  other_service: 'New owners, prices, timers, payments and the like.',
};

export const presetTexts = {
  open: 'Presets',
  /** The button's accessible name: every topic has this button. */
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
    quiet_night: 'No sound, no motion, no mentions.',
  } as const satisfies Record<Preset, string>,
  preview: 'What will change',
  pick: 'Choose a preset to see what it changes.',
  nothing: 'Nothing: this topic is already set like this.',
  willBlock: (count: number) => `${countTypes(count)} will be blocked`,
  willAllow: (count: number) => `${countTypes(count)} will be allowed`,
  /** `change` is one of the two above, `types` a list. */
  change: '{change}: {types}',
  apply: 'Apply',
  applied: (preset: string, topic: string, count: number) =>
    `${preset} in ${topic}: ${countTexts.settings(count)} changed.`,
};
