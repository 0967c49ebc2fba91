/** The page of the join gate in its states, with answers of a server that has a bot. */
import { type Gate } from '#contract/endpoints/gate';

import { expect, type Page, type Screen } from './e2e.ts';

const words = [
  ['apple', '🍎'],
  ['elephant', '🐘'],
  ['bicycle', '🚲'],
  ['lemon', '🍋'],
  ['gloves', '🧤'],
  ['saxophone', '🎷'],
  ['bus', '🚌'],
  ['grapes', '🍇'],
  ['trousers', '👖'],
].map(([word = '', picture = '']) => ({ word, picture }));

const open: Gate = {
  chat_name: 'Rice lovers',
  state: 'open',
  rules: {
    text: 'Welcome to the rice lovers!\n\n1. Be kind.\n2. No advertising.',
    entities: [{ type: 'bold', offset: 0, length: 27 }],
  },
  task: {
    question: 'Choose the three fruits.',
    words,
    ticket: 'a-ticket',
    work: { iterations: 1, candidates: 1, target: '' },
  },
  tries_left: 3,
  seconds_left: 300,
};

const answerWith = (state: Gate['state']) => (page: Page) =>
  page.route('**/backend/gate', (route) =>
    route.fulfill({
      json:
        state === 'open' ? open : { ...open, state, rules: null, task: null, seconds_left: 600 },
    }),
  );

/** In a browser all of them say that the page belongs into Telegram. */
const path = () => '/gate?chat=-1001234567890';
const reach: Screen['reach'] = (app) =>
  expect(app.locator('[data-part="gate"]')).not.toHaveAttribute('data-state', 'loading');

export const gateScreens: Readonly<Record<string, Screen>> = {
  'the join gate': { isMain: true, path, prepare: answerWith('open'), reach },
  'the join gate, passed': { path, prepare: answerWith('in'), reach },
  'the join gate, failed': { path, prepare: answerWith('failed'), reach },
  'the join gate, too late': { path, prepare: answerWith('expired'), reach },
};
