/** The texts of the tab "Automatic": floods, reactions, blocked words, and answers to words. */

export const automaticTexts = {
  loading: 'Loading the settings...',
  failed: 'The settings could not be loaded.',

  flood: {
    heading: 'Floods',
    about: 'A member who writes too many messages is stopped, and those messages are deleted.',
    count: 'Limit',
    off: 'Not limited',
    messages: (count: number) => `${count} ${count === 1 ? 'message' : 'messages'}`,
    seconds: 'Within',
    inRow: 'In a row',
    action: 'What follows',
  },

  reactions: {
    heading: 'Reactions',
    count: 'Limit',
    countAbout:
      'Beyond it, all reactions of that member are removed, and they cannot react for a day.',
    off: 'Not limited',
    inMinute: (count: number) => `${count} in a minute`,
    ofBanned: 'Remove those of banned members, too',
    unwanted: 'Unwanted reactions',
    none: 'None: all reactions stay.',
    custom: (id: string) => `Custom emoji ${id}`,
    choose: 'Choose reactions',
    close: 'Close the choice',
    full: (max: number) => `At most ${max} emoji. Allow one of them first.`,
  },

  blocklist: {
    heading: 'Blocked words',
    about: 'Messages with these words or links are deleted, and the writer is told why.',
    action: 'What follows',
    add: 'Words, phrases or links to block',
    addHint: 'One per line. * stands for any characters, ? for one: casino*, example.com, t.me/+*',
    addButton: 'Block',
    search: 'Search blocked words...',
    none: 'Nothing is blocked here.',
    label: 'Blocked words here',
    usual: 'As above',
    actionFor: (pattern: string) => `What follows: ${pattern}`,
    remove: (pattern: string) => `Remove: ${pattern}`,
    added: (count: number) => `${count} ${count === 1 ? 'entry' : 'entries'} added.`,
    unusable: (count: number) =>
      `${count} ${count === 1 ? 'line' : 'lines'} could not be added. A line has up to 64 characters, with * or ? up to 32, and more than these signs.`,
  },

  allowed: {
    heading: 'Links that stay',
    about: 'They are not deleted even if the blocklist has them.',
    add: 'Links to allow',
    addHint: 'One per line, such as example.com',
    addButton: 'Allow',
    search: 'Search links...',
    none: 'No links are allowed here.',
    label: 'Links that stay here',
    unusable: (count: number) =>
      `${count} ${count === 1 ? 'line' : 'lines'} could not be added. A line has up to 64 characters.`,
  },

  answers: {
    heading: 'Answers to words',
    about: 'When a message contains the word, the bot answers.',
    add: 'Add an answer',
    none: 'No answers here.',
    search: 'Search answers...',
    menu: (trigger: string) => `Menu, ${trigger}`,
    edit: 'Edit',
    remove: 'Remove',
    match: { anywhere: 'anywhere', prefix: 'at the beginning', exact: 'as the whole message' },
  },

  answer: {
    add: 'New answer',
    edit: (trigger: string) => `Answer to “${trigger}”`,
    trigger: 'Word or phrase',
    hint: 'Up to 64 characters. Capital and small letters are the same.',
    noTrigger: 'Please enter a word or a phrase.',
    badTrigger: 'A word or phrase has up to 64 characters.',
    taken: (trigger: string) => `There is an answer to “${trigger}” already.`,
    match: 'Where it stands',
    matches: { anywhere: 'Anywhere', prefix: 'At the beginning', exact: 'As the whole message' },
  },

  /** Of the entries of a list. */
  list: {
    count: (count: number, max: number) => `${count} of ${max}`,
    full: (max: number) => `A group has at most ${max}. Remove one to add another.`,
    tooMany: (left: number) =>
      `There is room for ${left} more ${left === 1 ? 'entry' : 'entries'}.`,
    nothingFound: 'Nothing found for this search.',
    showAll: (count: number) => `Show all ${count}`,
  },
} as const;
