/** What the bot asks of who joins a group, and what it says about raid protection. `name` is a person. */

export const joiningTexts = {
  /** Above the buttons; `duration` is how much time there is. */
  questions: {
    button: (name: string, duration: string) =>
      `Welcome, ${name}! Press the button, then you can write here. You have ${duration}.`,
    sum: (name: string, first: number, second: number, duration: string) =>
      `Welcome, ${name}! How much is ${first} + ${second}? Press the answer, then you can write here. You have ${duration}.`,
    word: (name: string, word: string, duration: string) =>
      `Welcome, ${name}! Press “${word}”, then you can write here. You have ${duration}.`,
    /** Of a picture; `word` is what it shows. */
    picture: (name: string, word: string, duration: string) =>
      `Welcome, ${name}! Press the picture of this: ${word}. Then you can write here. You have ${duration}.`,
    press: 'I am a person',
    shared: 'Have you just joined? Press the button, then you can write here.',
    sharedPress: 'I have just joined',
  },
  answer: {
    passed: 'Thank you! You can write here now.',
    wrong: (left: number) =>
      `That is not right. You have ${left} more ${left === 1 ? 'try' : 'tries'}.`,
    failed: 'That was wrong too often. You can join again in 10 minutes.',
    stale: 'Here is another task.',
    foreign: 'This button is for someone else.',
    over: 'This button is not needed any more.',
  },

  captcha: {
    off: 'Newcomers can write at once.',
    button: (duration: string) =>
      `Newcomers press a button before they can write. They have ${duration}.`,
    task: (duration: string) =>
      `Newcomers do a short task before they can write. They have ${duration}.`,
    gate: (duration: string) =>
      `People who ask to join do a short task in Nori before they are in. They have ${duration}.`,
    removed: (rule: string) => `${rule} Those who are too late are removed.`,
    stayMuted: (rule: string) => `${rule} Those who are too late stay muted.`,
    usage: '/captcha button, /captcha task, /captcha gate or /captcha off',
    timeUsage: 'Between 1 minute and 24 hours: /captchatime 5m',
  },

  raid: {
    /** `time` is a time, or a day and a time. */
    until: (time: string) => `Raid protection until ${time}. Newcomers are removed for an hour.`,
    auto: (time: string) =>
      `Many people join at once. Raid protection until ${time}: newcomers are removed for an hour.`,
    off: 'Raid protection is off.',
    ended: 'Raid protection has ended.',
    attackEnded: 'The protection against an attack has ended.',
    /** After one of the two above. */
    turnedAway: (sentence: string, count: number) =>
      `${sentence} ${count} ${count === 1 ? 'person was' : 'people were'} turned away.`,
    usage: 'Between 15 minutes and 7 days, or off: /antiraid 3h',
    autoOn: (count: number) =>
      `Raid protection begins by itself when ${count} people join within a minute.`,
    autoOff: 'Raid protection does not begin by itself.',
    autoUsage: (min: number, max: number) =>
      `How many people in a minute, between ${min} and ${max}, or off: /autoraid 15`,
  },
} as const;
