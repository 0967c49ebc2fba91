/** The texts of the editor of contents. */
import type { FillingName } from '#contract/chats/fillings';

export const editorTexts = {
  save: 'Save',
  saving: 'Saving...',
  saveFailed: 'This could not be saved. Your text is still here. Please try again.',
  draft: {
    restored: 'You had not saved this yet. It is your draft from this device.',
    discard: 'Discard the draft',
    closeTitle: 'Close without saving?',
    closeQuestion: 'What you wrote can stay on this device as a draft.',
    goOn: 'Go on writing',
    keep: 'Keep the draft',
    drop: 'Discard',
    notLasting: 'This device stores nothing: save before you close this page.',
  },

  text: {
    label: 'Text',
    toolbar: 'Formatting',
    /** The names of the buttons; `{key}` is a shortcut of the keyboard. */
    bold: 'Bold',
    italic: 'Italic',
    underline: 'Underline',
    strikethrough: 'Strikethrough',
    spoiler: 'Spoiler',
    blockquote: 'Quote',
    code: 'Code',
    link: 'Link',
    withKey: (name: string, key: string) => `${name} (${key})`,
    count: (length: number, max: number) => `${length} of ${max} characters`,
    fillings: 'Insert a name or a number',
    filling: {
      first: 'First name',
      last: 'Last name',
      mention: 'Name as a link to the person',
      username: '@name, or the name as a link',
      id: 'Telegram ID',
      chatname: 'Name of the group',
      count: 'Number of members',
      rules: 'Link to the rules',
    } as const satisfies Record<FillingName, string>,
  },

  linking: {
    words: 'Text of the link',
    address: 'Address',
    hint: 'Such as example.com or t.me/name.',
    set: 'Set link',
    remove: 'Remove link',
    cancel: 'Cancel',
  },

  media: {
    heading: 'Photo, video or file',
    attach: 'Attach a photo, a video or a file',
    attachAbout: (megabytes: number) => `Up to ${megabytes} MB. It stands above the text.`,
    uploading: (name: string) => `Uploading ${name}`,
    percent: (percent: number) => `${percent} %`,
    cancel: 'Cancel the upload',
    remove: 'Remove it',
    failed: 'The file could not be uploaded. Your text is still here. Please try again.',
    tooLarge: (megabytes: number) =>
      `This file is larger than ${megabytes} MB. Please choose a smaller one.`,
    lost: 'This bot cannot send the file, because another bot stored it. Remove it and attach it again.',
    withoutText: 'The text follows as a message of its own.',
    attached: 'Attached. It is stored at Telegram.',
  },

  buttons: {
    heading: 'Buttons',
    about: 'They stand below the message. Choose one to change it.',
    none: 'No buttons yet.',
    add: 'Add a button',
    addToRow: (row: number) => `Add a button to row ${row}`,
    full: (max: number) => `A message has at most ${max} buttons.`,
    untitled: 'New button',
    /** The accessible name of a button in the list. */
    name: (label: string, row: number, place: number) => `${label}, row ${row}, place ${place}`,
    edit: (label: string) => `Button “${label}”`,
    label: 'Label',
    leadsTo: 'Opens',
    targets: { url: 'An address', rules: 'The rules', note: 'A note' },
    address: 'Address',
    addressHint: 'Such as example.com or t.me/name.',
    note: 'Name of the note',
    noteHint: 'As it stands in the list of notes, without #.',
    earlier: 'Move before',
    later: 'Move after',
    up: 'Move up',
    down: 'Move down',
    remove: 'Remove',
    done: 'Done',
    moved: (row: number, place: number) => `Row ${row}, place ${place}`,
    keys: 'Alt and the arrow keys move a button.',
  },

  preview: {
    heading: 'Preview',
    label: 'How the message looks in Telegram',
    empty: 'What you write appears here.',
    person: 'Alex',
    rules: 'Rules',
    time: '12:00',
    foot: 'Names in braces are filled in for each person.',
  },

  telegram: {
    title: 'Write it in Telegram instead',
    about: 'Send the bot a message: it becomes the text, with its formatting and media.',
    needsName: 'Enter the name first.',
    waiting: 'Waiting for your message to the bot...',
    stop: 'Stop waiting',
    open: 'Open the chat again',
    failed: 'The bot could not be reached. Please try again.',
    arrived: 'Your message has arrived and is saved.',
    arrivedBeside:
      'Your message has arrived and is saved. What you had written here is still here.',
    use: 'Discard what I wrote',
  },

  problems: {
    empty: 'Please write a text, or attach something.',
    tooLong: (over: number) =>
      `${over} ${over === 1 ? 'character' : 'characters'} too many. Please shorten the text.`,
    tooMuchFormatting: (max: number) => `At most ${max} parts of a text can have formatting.`,
    noLabel: 'Please enter a label.',
    longLabel: (max: number) => `At most ${max} characters.`,
    noAddress: 'Please enter an address, such as example.com.',
    noNote: 'Please enter the name of a note.',
    noWords: 'Please enter the text of the link.',
  },
} as const;
