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
    title: 'Greet who joins',
    about: 'When several join at once, they are greeted together.',
    editor: 'Text of the greeting',
    to: 'Who sees it',
    toEveryone: 'Everyone',
    toNewcomer: 'Only who joins',
    toAbout: 'Where Telegram does not allow it, everyone sees it.',
    keep: 'Deleted after',
    keepAbout: 'The next greeting replaces it, too.',
    never: 'Never',
  },

  goodbye: {
    heading: 'Goodbye',
    title: 'Say goodbye to who leaves',
    about: 'Nothing is said about who was removed.',
    editor: 'Text of the goodbye',
  },

  service: {
    heading: 'Service messages',
    about: 'What Telegram itself writes into the group. The bot deletes what is switched on.',
    all: 'All of them',
    kinds: {
      join: 'Who joined',
      leave: 'Who left',
      pin: 'What was pinned',
      title: 'New names of the group',
      photo: 'New photos of the group',
      topic: 'Topics that are created, closed or opened',
      video_chat: 'Video chats',
    } as const satisfies Record<ServiceKind, string>,
  },
} as const;
