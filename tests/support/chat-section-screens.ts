/** States of the tabs of a chat's settings: what is done about members, and what the bot notes and answers. */
import { choose, expect, type Frame, type Page, type Screen } from './e2e.ts';

const chatId = '-1000000000042';
export const section = (name: string) => () => `/dashboard?chat=${chatId}&section=${name}`;

const day = 86_400_000;
export const at = Date.parse('2026-11-20T14:05:00Z');

// Names, reasons and titles are those that tests in other languages know as data.
const mika = { telegram_id: '7', name: 'Mika' };
const mara = {
  telegram_id: '8',
  name: 'Mara of the long and winding family name that does not end',
};
const ann = { telegram_id: '9', name: 'RL' };
const salma = { telegram_id: '10', name: 'سلمى' };
const unknown = { telegram_id: '123456789', name: '' };
const anonymous = { telegram_id: '1087968824', name: '' };
const channel = { telegram_id: '-1001234567890', name: '' };

const action = (kind: string, fields: Readonly<Record<string, unknown>>, index: number) => ({
  action_id: String(100 - index),
  kind,
  at: at - index * 5 * 3_600_000,
  by: mika,
  target: ann,
  reason: '',
  until: null,
  undone_at: null,
  can_undo: false,
  ...fields,
});

export const reason =
  'a lantern boat on a quiet river, a lantern in the fog, a lantern boat on a quiet river';
const actions = [
  action('ban', { reason: 'backlit', until: at + 5 * day, can_undo: true }, 0),
  action('warn', { by: mara, target: salma, reason, can_undo: true }, 1),
  action('mute', { by: anonymous, target: unknown, until: at + day, can_undo: true }, 2),
  action('warn', { reason: 'rim light', undone_at: at }, 3),
  action('ban', { target: channel, can_undo: true }, 4),
  action('promote', { by: mara, can_undo: true }, 5),
  action('report', { by: ann, target: unknown }, 6),
  action('kick', { by: unknown, target: mara }, 7),
];

const warning = (id: number, target: unknown, fields: Readonly<Record<string, unknown>> = {}) => ({
  warning_id: String(id),
  target,
  by: mika,
  reason: '',
  given_at: at - id * day,
  expires_at: at + (30 - id) * day,
  ...fields,
});

const warnings = [
  warning(1, ann, { reason: 'rim light' }),
  warning(2, ann, { by: mara, reason, expires_at: null }),
  warning(3, salma),
];

const approvals = [
  { target: salma, by: mika, at, until: null },
  { target: mara, by: anonymous, at: at - day, until: at + 7 * day },
];

export const health = {
  bot: 'nori_test_bot',
  is_listening: true,
  is_in: true,
  may_delete: true,
  sees_all: true,
  is_forum: true,
  rights: ['delete', 'restrict'],
  checked_at: 1,
};

const full = {
  chat: {
    warn_limit: 5,
    warn_action: { kind: 'ban', seconds: 7200 },
    warn_expiry: 'off',
    log_channel: { id: -100_555, title: 'Seaweed club' },
    log_categories: ['members', 'reports'],
    quiet_actions: true,
  },
  '9': { 'off:report': true },
};

const join = (person: typeof ann, kind: string, minutes: number) => ({
  ...person,
  kind,
  started_at: at - minutes * 60_000,
  due_at: at + (5 - minutes) * 60_000,
});
const joins = [join(ann, 'button', 1), join(mara, 'gate', 2), join(unknown, 'task', 3)];

const numbers = {
  from: '2026-11-14',
  days: [],
  deletions: { by_type: [], by_topic: [] },
  attack: {
    since: at - 5 * 3_600_000,
    until: at,
    counts: { raid_removed: 280, deleted: 1900 },
  },
};

export type Answers = {
  readonly values?: unknown;
  readonly joins?: unknown;
  readonly numbers?: unknown;
  readonly actions?: unknown;
  readonly warnings?: unknown;
  readonly approvals?: unknown;
  readonly health?: unknown;
  readonly undo?: unknown;
};

const parts = ['values', 'actions', 'warnings', 'approvals', 'joins', 'numbers'] as const;

/** Answers in the server's place: what is absent never comes, and a number is the status of a refusal. */
export const answering = (answers: Answers) => async (page: Page) => {
  await page.route('**/backend/capabilities', async (route) => {
    const response = await route.fetch();
    const json: unknown = await response.json();
    const listed =
      typeof json === 'object' && json !== null && 'capabilities' in json ? json.capabilities : [];
    const capabilities = new Set([
      ...(Array.isArray(listed) ? listed : []),
      'chats.values',
      'chats.moderation',
      'chats.log-pick',
      'chats.contents',
      'chats.joins',
      'chats.numbers',
    ]);
    await route.fulfill({ json: { ...Object(json), capabilities: [...capabilities] } });
  });
  await page.route(`**/backend/chats/${chatId}`, (route) =>
    route.fulfill({
      json: {
        chat_id: chatId,
        chat_name: 'Rice lovers',
        topics: { 0: { photo_blocked: true }, 9: { photo_blocked: false } },
        topic_names: { 9: 'Announcements' },
      },
    }),
  );
  await page.route(`**/backend/chats/${chatId}/health`, (route) =>
    route.fulfill({ json: answers.health ?? health }),
  );
  for (const part of parts) {
    const answer = answers[part];
    // Playwright's globs take a question mark for any sign.
    await page.route(new RegExp(`/backend/chats/${chatId}/${part}(?:\\?|$)`), (route) =>
      answer === undefined
        ? undefined
        : typeof answer === 'number'
          ? route.fulfill({ status: answer, json: {} })
          : route.fulfill({ json: answer }),
    );
  }
  await page.route(`**/backend/chats/${chatId}/actions/*/undo`, (route) =>
    route.fulfill({
      status: 409,
      json: { code: 'telegram_refused', detail: 'You are not the owner.' },
    }),
  );
};

export const filled: Answers = {
  values: { values: full },
  actions: { actions, has_more: true },
  warnings: { warnings },
  approvals: { approvals },
  joins: { joins },
  numbers,
};

export const empty: Answers = {
  values: { values: {} },
  actions: { actions: [], has_more: false },
  warnings: { warnings: [] },
  approvals: { approvals: [] },
  joins: { joins: [] },
  numbers: { ...numbers, attack: null },
};

const seesRules = (app: Frame) =>
  expect(app.getByRole('radio', { name: 'Strict', exact: true })).toBeVisible();

/** The row of what was done last. */
const row = (app: Frame) => app.getByRole('listitem').filter({ hasText: 'backlit' });

export const chatSectionScreens: Readonly<Record<string, Screen>> = {
  'a chat with tabs': {
    isMain: true,
    isMember: true,
    path: section('locks'),
    prepare: answering(empty),
    reach: (app) => expect(app.getByRole('tab', { name: 'Moderation' })).toBeVisible(),
  },
  'the moderation of a chat': {
    isMain: true,
    isMember: true,
    path: section('moderation'),
    prepare: answering(filled),
    reach: async (app) => {
      await seesRules(app);
      await expect(row(app)).toBeVisible();
    },
  },
  'the moderation of a chat where nothing was done': {
    isMember: true,
    path: section('moderation'),
    prepare: answering(empty),
    reach: async (app) => {
      await seesRules(app);
      await expect(app.getByText('Nothing was done in the last 90 days.')).toBeVisible();
    },
  },
  'moderation without the right for it': {
    isMember: true,
    path: section('moderation'),
    prepare: answering({ ...filled, health: { ...health, rights: ['delete'] } }),
    reach: (app) =>
      expect(app.getByText('Give it to the bot in the list of administrators.')).toBeVisible(),
  },
  'moderation that is still loading': {
    isMember: true,
    path: section('moderation'),
    prepare: answering({}),
    reach: (app) => expect(app.getByText('Loading what was done...')).toBeAttached(),
  },
  'moderation that cannot be loaded': {
    isMember: true,
    path: section('moderation'),
    prepare: answering({ values: 400, actions: 400, warnings: 400, approvals: 400 }),
    reach: (app) => expect(app.getByText('What was done could not be loaded.')).toBeVisible(),
  },
  'a search that finds nothing that was done': {
    isMember: true,
    path: section('moderation'),
    prepare: answering(empty),
    reach: async (app) => {
      await app.getByRole('searchbox').fill('x'.repeat(60));
      await expect(app.getByText('Nothing found for this search.')).toBeVisible();
    },
  },
  'an action that cannot be undone': {
    isMember: true,
    path: section('moderation'),
    prepare: answering(filled),
    reach: async (app) => {
      await row(app).getByRole('button').click();
      await expect(app.getByText('You are not the owner.')).toBeVisible();
    },
  },
  'a time that is typed': {
    isMember: true,
    path: section('moderation'),
    prepare: answering(filled),
    reach: async (app) => {
      const field = app.getByRole('textbox', { name: 'Time' });
      await seesRules(app);
      if (!(await field.isVisible())) {
        await app.getByRole('combobox', { name: 'For how long' }).selectOption('typed');
      }
      await field.fill('tomorrow');
      await app.getByRole('button', { name: 'Set' }).click();
      await expect(
        app.getByText('Please enter a time between 30 seconds and 366 days, such as 2h.'),
      ).toBeVisible();
    },
  },
  'the log of a chat': {
    isMain: true,
    isMember: true,
    path: section('log'),
    prepare: answering(filled),
    reach: (app) => expect(app.getByText('Seaweed club')).toBeVisible(),
  },
  'a chat without a log': {
    isMember: true,
    path: section('log'),
    prepare: answering(empty),
    reach: (app) => expect(app.getByText('No channel yet')).toBeVisible(),
  },
  'the commands of a topic': {
    isMain: true,
    isMember: true,
    path: section('log'),
    prepare: answering({ values: { values: { ...full, chat: { 'off:admins': true } } } }),
    reach: async (app) => {
      await app.getByRole('combobox', { name: 'Where' }).selectOption('9');
      await expect(app.getByRole('switch', { name: 'Report', exact: true })).not.toBeChecked();
    },
  },
  'copying more than settings': {
    isMember: true,
    path: section('locks'),
    prepare: answering(filled),
    reach: async (app) => {
      const dialog = app.getByRole('dialog', { name: 'Copy the settings of General' });
      await expect(
        app.getByRole('button', { name: 'Menu, General' }).or(dialog).first(),
      ).toBeAttached();
      if (!(await dialog.isVisible())) {
        await choose(app, 'Copy to..., General', 'Menu, General');
      }
      await dialog.getByRole('checkbox', { name: 'Settings of the whole chat' }).check();
    },
  },
};
