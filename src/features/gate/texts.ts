/** What the page of the join gate says before its script has heard of the request. */

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
