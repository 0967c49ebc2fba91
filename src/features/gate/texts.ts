/** What the join gate says. */

/** In the page as it is prerendered. */
export const texts = {
  heading: 'Before you join',
  loading: 'One moment…',
  rules: 'Rules of the group',
  task: 'A short task',
  /** Shown while the words of the task are still missing. */
  question: 'The task is coming…',
  answer: 'Join the group',
  in: { title: 'You are in', text: 'The group is open to you now.' },
  passed: {
    title: 'Well done',
    text: 'You have done the task. You will be let in shortly; there is nothing left to do.',
  },
  failed: { title: 'That was not right' },
  expired: { title: 'The time is over', text: 'Ask to join the group again for a new task.' },
  gone: {
    title: 'This is decided already',
    text: 'Your request to join was answered or withdrawn.',
  },
  outside: {
    title: 'Open this page in Telegram',
    text: 'It opens by itself when you ask to join a group.',
  },
  refused: { title: 'This page is no longer valid' },
  away: {
    title: 'No connection',
    text: 'Check your connection to the Internet, and try again.',
  },
} as const;

/** What its script says while it is used. */
export const said = {
  join: (chatName: string) => `Join “${chatName}”`,
  timeLeft: (time: string) => `Time left: ${time}`,
  lastMinute: 'One minute is left.',
  chosen: (count: number, of: number) => `${count} of ${of} chosen`,
  full: (of: number) => `Only ${of}: take one back first.`,
  answer: 'Join the group',
  toTask: 'To the task',
  again: 'Try again',
  close: 'Close',
  wrong: (left: number) =>
    `That was not right. Here is another task: you have ${left} more ${left === 1 ? 'try' : 'tries'}.`,
  tooFast: 'That was too fast. Look at it once more, then answer.',
  outdated: 'There is another task now.',
  offline: 'No connection. Your answer is still here: try again.',
  failed: (minutes: number) =>
    `You can ask to join again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
} as const;
