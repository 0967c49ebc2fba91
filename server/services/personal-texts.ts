/** What the bot says about what people have it keep for them: reminders, that they are away, stickers. */

export const personalTexts = {
  /** For those who hide who they are. */
  anonymous: 'For this I have to know who you are. Write it in your own name.',

  reminders: {
    usage: 'When, and of what? /remind 2h tea, or /remind 2h as a reply to a message',
    range: 'Between 1 minute and 1 year: 10m, 2h, 3d, 4w.',
    added: (duration: string) => `I will remind you in ${duration}.`,
    atMost: (max: number) => `At most ${max} reminders. /reminders lists yours.`,
    none: 'You have no reminders here.',
    list: (entries: string) => `Your reminders:\n${entries}`,
    entry: (number: number, duration: string, text: string) => `${number}) in ${duration}: ${text}`,
    /** Of what, where nothing was written. */
    message: 'a message',
    notYours: 'This reminder is gone, or it is not yours.',
    delete: (number: number) => `Delete ${number}`,
    /** What is sent at the time, in a group and in private. */
    due: (name: string, text: string) => `${name}, a reminder: ${text}`,
    dueMessage: (name: string) => `${name}, a reminder of this message.`,
    duePrivate: (text: string) => `A reminder: ${text}`,
    dueMessagePrivate: 'A reminder of this message.',
    showMessage: 'Show the message',
  },

  away: {
    set: (name: string) => `${name} is away, until they write in a group again.`,
    notice: (name: string, duration: string) => `${name} has been away for ${duration}.`,
    back: (name: string) => `Welcome back, ${name}.`,
  },

  stickers: {
    usage: 'Reply to a sticker or a picture.',
    added: 'It is in your pack.',
    open: 'Open the pack',
    /** Of a pack, which others see, too. */
    title: (name: string) => `Stickers of ${name}`,
    start: 'Write /start to me in private first, then I may make a pack for you.',
    full: 'I cannot make another pack for you.',
    removed: 'It is in your pack no more.',
    notYours: 'Reply to a sticker of one of the packs that I have made for you.',
    noPicture: 'An animated sticker is no picture.',
  },
} as const;

export const adultAnswers = {
  notHere: 'This is not switched on here.',
  /** For groups that anyone can find. */
  open: 'Not in a group that has a public link or a linked channel.',
  on: 'Content for adults is allowed here. /nsfwmode off ends that.',
  off: 'Content for adults is not allowed here.',
  usage: '/nsfwmode on or /nsfwmode off, and for all topics /nsfwmode off all',
  cleanRange: 'Between 1 minute and 24 hours: /nsfwclean 10m',
  clean: (duration: string) => `What is for adults is deleted after ${duration}.`,
  question: 'This is for adults only.',
  confirm: 'I am 18 or older',
  confirmed: 'Good. Write the command once more.',
  failed: 'Telegram does not take this picture. Try another one.',
  pageUsage: 'Which page? /hanime 2',
} as const;
