/** What the join gate asks and says. */

export const gateTexts = {
  /** A message to who asks to join a group, above a button. */
  invitation: (chatName: string, minutes: number) =>
    `You asked to join “${chatName}”. Read its rules and do a short task, and you are in. You have ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
  open: 'Continue',
  /** Refusals. */
  noRequest: 'There is no open request of yours here. Ask to join the group again.',
  oldLaunch: 'Too much time has passed since you opened this page. Ask to join the group again.',
  forgedLaunch: 'Telegram could not confirm who you are. Close this page and ask to join again.',
  wrongWork: 'The answer could not be checked. Close this page and open it again.',
} as const;

/** What is asked. Each word of the list belongs to one kind alone. */
export const gateQuestions = {
  fruit: 'Choose the three fruits.',
  animals: 'Choose the three animals.',
  vehicles: 'Choose the three vehicles.',
  clothes: 'Choose the three things to wear.',
  instruments: 'Choose the three musical instruments.',
} as const;

export const gateWords = {
  apple: 'apple',
  banana: 'banana',
  grapes: 'grapes',
  lemon: 'lemon',
  cherries: 'cherries',
  strawberry: 'strawberry',
  dog: 'dog',
  cat: 'cat',
  horse: 'horse',
  fish: 'fish',
  elephant: 'elephant',
  rabbit: 'rabbit',
  car: 'car',
  bus: 'bus',
  train: 'train',
  bicycle: 'bicycle',
  ship: 'ship',
  plane: 'plane',
  shirt: 'shirt',
  shoe: 'shoe',
  hat: 'hat',
  gloves: 'gloves',
  socks: 'socks',
  trousers: 'trousers',
  guitar: 'guitar',
  violin: 'violin',
  piano: 'piano',
  drum: 'drum',
  trumpet: 'trumpet',
  saxophone: 'saxophone',
} as const;
