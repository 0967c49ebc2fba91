/** What the script of the join gate says while it is used. */

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
