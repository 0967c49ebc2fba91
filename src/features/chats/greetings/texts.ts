/** The texts of the tab "Greetings". */
import { type ServiceKind } from '#contract/chats/values';

export const greetingTexts = {
  loading: 'Loading the greetings...',
  failed: 'The greetings could not be loaded.',

  /** The row of a text, in both parts. */
  text: 'Text',
  usual: 'The bot’s own text.',
  backToUsual: 'Use the bot’s own text',

  welcome: {
    heading: 'Welcome',
    title: 'Greet newcomers',
    about: 'When several join at once, they are greeted together.',
    editor: 'Text of the greeting',
    to: 'Who sees it',
    toEveryone: 'Everyone',
    toNewcomer: 'Only the newcomer',
    toAbout: 'Where Telegram does not allow it, everyone sees it.',
    keep: 'Deleted after',
    keepAbout: 'The next greeting replaces it, too.',
    never: 'Never',
  },

  goodbye: {
    heading: 'Goodbye',
    title: 'Say goodbye to members who leave',
    about: 'Removed members get no goodbye.',
    editor: 'Text of the goodbye',
  },

  service: {
    heading: 'Service messages',
    about: 'What Telegram itself writes into the group. The bot deletes what is switched on.',
    all: 'All of them',
    kinds: {
      join: 'New members',
      leave: 'Members who left',
      pin: 'Pinned messages',
      title: 'New names of the group',
      photo: 'New photos of the group',
      topic: 'Topics that are created, closed or opened',
      video_chat: 'Video chats',
    } as const satisfies Record<ServiceKind, string>,
  },
} as const;
