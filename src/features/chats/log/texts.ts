/** The texts of the log channel, of answers, and of commands for members. */
import { type LogCategory } from '#contract/chats/values';

export const logTexts = {
  loading: 'Loading the settings...',
  failed: 'The settings could not be loaded.',

  channel: {
    heading: 'Log channel',
    about: 'The bot notes in a channel of yours what it and the administrators have done.',
    none: 'No channel yet',
    noneAbout: 'Nothing is noted.',
    chosen: 'The bot writes here.',
    choose: 'Choose a channel',
    another: 'Choose another channel',
    chooseHint: 'Telegram lists your channels. The bot joins the one that you choose.',
    waiting: 'Waiting for the channel to arrive...',
    failed: 'Telegram could not share the channel. Please try again.',
    notYet: 'The channel has not arrived yet. It will appear here by itself.',
    steps: 'How to choose a channel',
    addBot: 'Make the bot an administrator of the channel.',
    write: 'Write {command} in the channel.',
    forward: 'Forward that message to this group.',
    remove: 'Remove the channel',
  },

  categories: {
    heading: 'What is noted',
    noChannel: 'Choose a channel first.',
    about: {
      members: 'Bans, mutes, warnings, approvals and the like',
      reports: 'What members report to the administrators',
      settings: 'Who changed which settings',
      messages: 'What administrators delete by commands and buttons',
    } as const satisfies Record<LogCategory, string>,
  },

  reports: {
    heading: 'Reports',
    title: 'Members may report messages',
    about: 'By /report or @admin as a reply. The administrators are told quietly.',
  },

  answers: {
    heading: 'Answers of the bot',
    quiet: 'Quiet answers',
    quietAbout: 'Answers about bans and the like are seen by the administrator alone.',
    trust: 'Trust anonymous administrators',
    trustAbout: 'Anonymous administrators act at once, without a button that shows who they are.',
  },

  commands: {
    heading: 'Commands for members',
    about: 'What is switched off is not answered and does not appear in the menu.',
    /** The switch’s description: the command, and what it does. */
    line: (command: string, description: string) => `${command}: ${description}`,
    offInChat: 'Switched off in the whole chat.',
  },
} as const;
