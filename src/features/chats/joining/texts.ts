/** The texts of the tab "Joining", and of the switch "Under attack". */
import { formatCount } from '#lib/format';

export const joiningTexts = {
  loading: 'Loading the settings...',
  failed: 'The settings could not be loaded.',

  attack: {
    title: 'Under attack',
    about: 'Holds newcomers back and deletes links that members write, for 24 hours.',
    on: (since: string, until: string) => `Since ${since}, until ${until}.`,
    strip: (since: string) => `Under attack since ${since}`,
    end: 'End',
    /** The button’s accessible name. */
    endName: 'End: under attack',
    question: 'Under attack?',
    /** What happens to newcomers is one of these two. */
    willWait:
      'For 24 hours, people who ask to join have to wait, and links that members write are deleted. You can end it at any time.',
    willGo:
      'For 24 hours, newcomers are removed, and links that members write are deleted. You can end it at any time.',
    start: 'Switch on',
    ended: 'No longer under attack.',
    heldBack: (count: number) =>
      `Held back: ${formatCount(count)} ${count === 1 ? 'newcomer' : 'newcomers'}.`,
    deleted: (count: number) =>
      `Deleted: ${formatCount(count)} ${count === 1 ? 'message' : 'messages'}.`,
    nothing: 'No newcomer was held back, and no message deleted.',
    last: (since: string, until: string) => `Last time: ${since} to ${until}.`,
    lastSince: (since: string) => `Last time: ${since}.`,
  },

  quietStart: {
    heading: 'Ready-made',
    about:
      'Newcomers press a button first, and members who write 8 messages within 10 seconds are muted.',
    use: 'Use',
    inUse: 'In use',
    /** The button’s accessible name. */
    name: (state: string, preset: string) => `${state}: ${preset}`,
  },

  captcha: {
    heading: 'What newcomers do',
    modes: { off: 'Nothing', button: 'A button', task: 'A task', gate: 'The gate in Nori' },
    about: {
      off: 'They can write at once.',
      button: 'They press a button in the group before they can write.',
      task: 'They add two numbers or find a word in the group before they can write.',
      gate: 'Before they are in, they read the rules in Nori and do a short task.',
    },
    seconds: 'Time for it',
    over: 'When the time is over',
    kick: 'Remove',
    mute: 'Keep muted',
    gateReady: 'The gate opens at once for people who ask to join.',
    gateSteps: 'For the gate to open at once for people who ask to join:',
    gateOpen: 'In Telegram, open the settings of the group, and there the type of the group.',
    gateApprove: 'Switch “Approve new members” on.',
    gateBot: 'Choose this bot as the one that approves them.',
  },

  raid: {
    heading: 'Raid protection',
    about: 'For when many join at once: newcomers are removed, and may come back an hour later.',
    off: 'Off',
    until: (time: string) => `On until ${time}`,
    start: 'Switch on',
    end: 'End',
    /** The button’s accessible name. */
    name: (action: string) => `${action}: raid protection`,
    seconds: 'How long it lasts',
    auto: 'By itself',
    autoOff: 'Never',
    autoAt: (count: number) => `At ${count} joins in a minute`,
  },

  checks: {
    heading: 'Waiting to be let in',
    loading: 'Loading who is waiting...',
    failed: 'Who is waiting could not be loaded.',
    none: 'No one is waiting.',
    kinds: { button: 'Button', task: 'Task', gate: 'Gate in Nori' },
    times: (kind: string, since: string, until: string) =>
      `${kind}, since ${since}, until ${until}`,
    letIn: 'Let in',
    turnAway: 'Turn away',
    /** The buttons’ accessible name. */
    name: (action: string, name: string) => `${action}: ${name}`,
    settleFailed: 'This could not be done. Please try again.',
    showAll: (count: number) => `Show all ${count} people`,
  },
} as const;
