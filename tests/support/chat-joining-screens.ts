/** States of what the bot does by itself: about who joins a chat, floods, reactions, blocked words and words with an answer. */
import {
  answering,
  type Answers,
  at,
  empty,
  filled,
  health,
  reason,
  section,
} from './chat-section-screens.ts';
import { expect, type Frame, type Screen } from './e2e.ts';

/** After every test has run. */
const farAhead = Date.parse('2099-01-01T12:00:00Z');

const contentId = 'c'.repeat(22);
const contents = { [contentId]: { text: reason, entities: [], buttons: [] } };
const patterns = ['rim light', 'backlit', 'emberstyle', 'dunestyle', 'woodblock print'];

const newcomers = {
  chat: {
    captcha_mode: 'task',
    captcha_over: 'mute',
    raid_auto: 10,
    raid_until: farAhead,
    attack: { since: at, until: farAhead },
  },
};

const automatic = {
  chat: {
    flood: { count: 8, seconds: 10 },
    blocklist_action: { kind: 'mute', seconds: 7200 },
    reaction_limit: 15,
    reactions_unwanted: ['💩', '🖕', '5368324170671202286'],
    ...Object.fromEntries(patterns.map((pattern) => [`block:${pattern}`, {}])),
    [`block:${'x'.repeat(64)}`]: { action: { kind: 'ban' } },
    'allow:seaweed.example': true,
    'filter:rim light': { content: contentId, match: 'anywhere' },
    'filter:backlit': { content: contentId, match: 'exact' },
  },
};

const joining: Answers = { ...filled, values: { values: newcomers } };
const byItself: Answers = { ...filled, values: { values: automatic, contents } };

const seesModes = (app: Frame) =>
  expect(app.getByRole('radio', { name: 'A task', exact: true })).toBeVisible();

const block = async (app: Frame, text: string): Promise<void> => {
  await app.getByRole('textbox', { name: 'Words, phrases or links to block' }).fill(text);
  await app.getByRole('button', { name: 'Block', exact: true }).click();
};

export const chatJoiningScreens: Readonly<Record<string, Screen>> = {
  'joining a chat': {
    isMain: true,
    isMember: true,
    path: section('joining'),
    prepare: answering({ ...joining, values: { values: {} } }),
    reach: async (app) => {
      await seesModes(app);
      await expect(app.getByText('280')).toBeVisible();
      await expect(app.getByText('RL', { exact: true })).toBeVisible();
    },
  },
  'a chat that is under attack': {
    isMain: true,
    isMember: true,
    path: section('joining'),
    prepare: answering(joining),
    reach: async (app) => {
      await seesModes(app);
      await expect(app.getByRole('button', { name: 'End: under attack' })).toBeVisible();
    },
  },
  'the locks of a chat that is under attack': {
    isMember: true,
    path: section('locks'),
    prepare: answering(joining),
    reach: (app) => expect(app.getByRole('button', { name: 'End: under attack' })).toBeVisible(),
  },
  'the gate of a chat that is not chosen yet': {
    isMember: true,
    path: section('joining'),
    prepare: answering({
      ...empty,
      values: { values: { chat: { captcha_mode: 'gate' } } },
      health: { ...health, guard: false },
    }),
    reach: (app) =>
      expect(app.getByText('Choose this bot as the one that approves them.')).toBeVisible(),
  },
  'the gate of a chat': {
    isMember: true,
    path: section('joining'),
    prepare: answering({
      ...empty,
      values: { values: { chat: { captcha_mode: 'gate' } } },
      health: { ...health, rights: ['delete', 'restrict', 'invite'], guard: true },
    }),
    reach: (app) =>
      expect(app.getByText('The gate opens at once for people who ask to join.')).toBeVisible(),
  },
  'joining without the rights for it': {
    isMember: true,
    path: section('joining'),
    prepare: answering({ ...joining, health: { ...health, rights: [] } }),
    reach: (app) =>
      expect(
        app.getByText('Give it to the bot in the list of administrators.').first(),
      ).toBeVisible(),
  },
  'joining that is still loading': {
    isMember: true,
    path: section('joining'),
    prepare: answering({}),
    reach: (app) => expect(app.getByText('Loading the settings...')).toBeAttached(),
  },
  'joining that cannot be loaded': {
    isMember: true,
    path: section('joining'),
    prepare: answering({ values: 400, joins: 400, numbers: 400 }),
    reach: (app) => expect(app.getByText('The settings could not be loaded.')).toBeVisible(),
  },
  'newcomers who cannot be listed': {
    isMember: true,
    path: section('joining'),
    prepare: answering({ ...empty, joins: 400 }),
    reach: (app) => expect(app.getByText('Who is waiting could not be loaded.')).toBeVisible(),
  },
  'what a chat does by itself': {
    isMain: true,
    isMember: true,
    path: section('automatic'),
    prepare: answering(byItself),
    reach: async (app) => {
      await expect(app.getByText('rim light').first()).toBeVisible();
      await expect(app.getByText(reason).first()).toBeVisible();
    },
  },
  'a chat that does nothing by itself': {
    isMember: true,
    path: section('automatic'),
    prepare: answering(empty),
    reach: (app) => expect(app.getByText('Nothing is blocked here.')).toBeVisible(),
  },
  'words that cannot be blocked': {
    isMember: true,
    path: section('automatic'),
    prepare: answering(byItself),
    reach: async (app) => {
      await block(app, `${'x'.repeat(100)}\n***`);
      await expect(app.getByText(/^2 lines could not be added/)).toBeVisible();
    },
  },
  'the choice of unwanted reactions': {
    isMember: true,
    path: section('automatic'),
    prepare: answering(byItself),
    reach: async (app) => {
      const chooser = app.getByRole('button', { name: 'Choose reactions' });
      await expect(app.getByText('rim light').first()).toBeVisible();
      if (await chooser.isVisible()) {
        await chooser.click();
      }
      await expect(app.getByRole('button', { name: '🤡' })).toBeVisible();
    },
  },
  'automatic settings without the rights for them': {
    isMember: true,
    path: section('automatic'),
    prepare: answering({ ...byItself, health: { ...health, rights: [] } }),
    reach: (app) =>
      expect(
        app.getByText('Give it to the bot in the list of administrators.').first(),
      ).toBeVisible(),
  },
  'automatic settings that cannot be loaded': {
    isMember: true,
    path: section('automatic'),
    prepare: answering({ values: 400 }),
    reach: (app) => expect(app.getByText('The settings could not be loaded.')).toBeVisible(),
  },
};
