/** States of copying, of the history, of deleted messages, and of groups that arrive. */
import { choose, expect, type Frame, type Page, type Screen, toggle } from './e2e.ts';

const settings = (chatId: number) => `/dashboard?chat=${chatId}`;
const history = (chatId: number) => `/dashboard?chat=${chatId}&view=history`;

const at = Date.parse('2026-11-20T14:05:00Z');
const item = (topic: string, name: string, becomes = true) => ({
  topic_id: topic,
  setting_name: `${name}_blocked`,
  was: !becomes,
  becomes,
});
const mara = {
  telegram_id: '7',
  name: 'Mara of the long and winding family name that does not end',
};
const changes = [
  {
    change_id: '3',
    changed_at: at,
    changed_by: mara,
    kind: 'copy',
    preset: null,
    items: ['0', '4', '9', '12'].flatMap((topic) => [
      item(topic, 'photo'),
      item(topic, 'url'),
      item(topic, 'video_note', false),
    ]),
  },
  {
    change_id: '2',
    changed_at: at - 3_600_000,
    changed_by: { telegram_id: '8', name: '' },
    kind: 'preset',
    preset: 'no_links_or_forwards',
    items: [item('4', 'url'), item('4', 'forward'), item('4', 'via_bot')],
  },
  {
    change_id: '1',
    changed_at: at - 30 * 3_600_000,
    changed_by: mara,
    kind: 'toggle',
    preset: null,
    items: [item('0', 'photo')],
  },
  {
    change_id: '0',
    changed_at: at - 31 * 3_600_000,
    changed_by: mara,
    kind: 'language',
    preset: null,
    items: [],
    language: { was: 'pt-BR', becomes: 'uk' },
  },
];

const answer =
  (call: string, json: unknown, status = 200) =>
  (page: Page) =>
    page.route(`**/backend/chats${call}`, (route) => route.fulfill({ status, json }));

/** Opens the dialog unless it is still open. */
async function openCopying(app: Frame): Promise<void> {
  const dialog = app.getByRole('dialog', { name: 'Copy the settings of General' });
  await expect(
    app.getByRole('button', { name: 'Menu, General' }).or(dialog).first(),
  ).toBeAttached();
  if (!(await dialog.isVisible())) {
    await choose(app, 'Copy to..., General', 'Menu, General');
  }
  await expect(dialog.getByRole('checkbox', { name: /^Topic 9/ })).toBeVisible();
}

/** A chat with topics, one of which has other settings. */
const withTopics = answer('/-*', {
  chat_id: '-1000000000042',
  chat_name: 'Rice lovers',
  topics: {
    0: { photo_blocked: true, url_blocked: true, dice_blocked: false },
    4: { photo_blocked: true, url_blocked: true, dice_blocked: false },
    9: { photo_blocked: false, url_blocked: false, dice_blocked: true },
  },
  topic_names: { 4: 'Announcements' },
});
const upgraded = () => '/dashboard?chat=-1000000000042';

/** Opens a menu unless it is still open from an earlier check. */
async function openMenu(app: Frame, name: string): Promise<void> {
  const menu = app.getByRole('menu', { name, exact: true });
  const opener = app.getByRole('button', { name, exact: true });
  await expect(app.getByRole('button', { name: 'Menu, General' })).toBeAttached();
  if (!(await menu.isVisible())) {
    // With a finger it is opened by holding its row, and the button is for keyboards.
    await opener.press('Enter');
  }
  await expect(menu).toBeVisible();
}

const numbers = '/dashboard?chat=-1000000000042&view=numbers';

/** Days until the last one, with so much on each; the same in every run. */
const toDays = (count: number) =>
  Array.from({ length: count }, (_one, index) => ({
    day: new Date(at - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
    counts: {
      join: (index * 7) % 23,
      leave: (index * 3) % 5,
      check_passed: (index * 5) % 17,
      check_failed: index % 4,
      deleted: (index * 131) % 1700,
      flood: index % 3,
      reaction_flood: index % 2,
      raid_removed: index === count - 2 ? 280 : 0,
    },
  }));

const counted = {
  from: '2026-11-14',
  days: toDays(7),
  deletions: {
    by_type: [
      { name: 'url_blocked', count: 3120 },
      { name: 'blocklist', count: 818 },
      { name: 'flood', count: 64 },
      { name: 'video_note_blocked', count: 1 },
    ],
    by_topic: [
      { topic_id: 0, count: 3000 },
      { topic_id: 4, count: 940 },
      { topic_id: -1, count: 63 },
    ],
  },
  attack: {
    since: at - 3 * 86_400_000,
    until: null,
    counts: { raid_removed: 280, deleted: 1912 },
  },
};

const withNumbers =
  (json: unknown, status = 200) =>
  async (page: Page) => {
    await withTopics(page);
    await answer('/*/numbers*', json, status)(page);
  };

export const chatToolScreens: Readonly<Record<string, Screen>> = {
  'a change that waits for the network': {
    isMember: true,
    path: settings,
    reach: async (app, page) => {
      const notice = app.getByText('1 change waits for the network.');
      if (!(await notice.isVisible())) {
        await expect(toggle(app, 'sticker')).toBeAttached();
        await app.evaluate(() =>
          Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false }),
        );
        await page.route('**/backend/**', (route) =>
          route.request().method() === 'PUT' ? route.abort() : route.fallback(),
        );
        await toggle(app, 'sticker').click();
      }
      await expect(notice).toBeVisible();
    },
  },
  'the numbers of a chat': {
    isMain: true,
    isMember: true,
    path: () => numbers,
    prepare: withNumbers(counted),
    reach: (app) => expect(app.getByRole('figure', { name: /^Raids/ })).toBeVisible(),
  },
  'the numbers of 30 days': {
    isMember: true,
    path: () => `${numbers}&days=30`,
    prepare: withNumbers({ ...counted, days: toDays(30), attack: null }),
    reach: (app) => expect(app.getByRole('figure', { name: /^Joins/ })).toBeVisible(),
  },
  'no numbers yet': {
    isMember: true,
    path: () => numbers,
    prepare: withNumbers({
      from: '2026-11-14',
      days: toDays(7).map(({ day }) => ({ day, counts: {} })),
      deletions: { by_type: [], by_topic: [] },
      attack: null,
    }),
    reach: (app) => expect(app.getByText('Nothing to count yet')).toBeVisible(),
  },
  'numbers that cannot be loaded': {
    isMember: true,
    path: () => numbers,
    prepare: withNumbers({}, 400),
    reach: (app) => expect(app.getByText('The numbers could not be loaded.')).toBeVisible(),
  },
  'numbers that are still loading': {
    isMember: true,
    path: () => numbers,
    prepare: async (page) => {
      await withTopics(page);
      await page.route('**/backend/chats/*/numbers*', () => undefined);
    },
    reach: (app) => expect(app.getByText('Counting what happened...')).toBeAttached(),
  },
  'a chat with topics': {
    isMain: true,
    isMember: true,
    path: () => `${upgraded()}&topic=9`,
    prepare: withTopics,
    reach: (app) => expect(toggle(app, 'dice', 'Topic 9')).toBeChecked(),
  },
  'the menu of a chat': {
    isMember: true,
    path: upgraded,
    prepare: withTopics,
    reach: (app) => openMenu(app, 'Menu'),
  },
  'the menu of a message type': {
    isMember: true,
    path: upgraded,
    prepare: withTopics,
    reach: (app) => openMenu(app, 'All topics: photo, General'),
  },
  'settings that are still loading': {
    isMember: true,
    path: upgraded,
    prepare: (page) => page.route('**/backend/chats/-*', () => undefined),
    reach: (app) => expect(app.getByText('Loading settings...')).toBeAttached(),
  },
  'settings that cannot be loaded': {
    isMember: true,
    path: upgraded,
    prepare: answer('/-*', {}, 400),
    reach: (app) => expect(app.getByText('The settings could not be loaded.')).toBeVisible(),
  },
  'a topic that a chat does not have': {
    isMember: true,
    path: () => `${upgraded()}&topic=77`,
    prepare: withTopics,
    reach: (app) => expect(app.getByText('Topic 77 has no settings yet.')).toBeVisible(),
  },
  'a search without a setting': {
    isMember: true,
    path: upgraded,
    prepare: withTopics,
    reach: async (app) => {
      await app.getByRole('searchbox').fill('no such thing');
      await expect(app.getByText('No settings found matching your search')).toBeVisible();
    },
  },
  'what was deleted in a chat': {
    isMain: true,
    isMember: true,
    path: settings,
    prepare: answer('/*/deletions', {
      day: { photo_blocked: 3, url_blocked: 12 },
      week: { photo_blocked: 40, url_blocked: 120, video_note_blocked: 1203 },
      exact: { day: { photo_blocked: 3 }, week: { photo_blocked: 40, url_blocked: 7 } },
    }),
    reach: async (app) => {
      const summary = app.getByRole('button', { name: /^Deleted messages/ });
      await expect(
        app.getByRole('button', { name: 'Menu, General' }).or(summary).first(),
      ).toBeAttached();
      if (!(await summary.isVisible())) {
        await choose(app, 'Deleted messages');
      }
      await expect(app.getByText(/\b1\D?363\b/).first()).toBeVisible();
      await expect(app.getByRole('table')).toBeVisible();
    },
  },
  'topics that the bot knows': {
    isMember: true,
    path: upgraded,
    prepare: answer('/-*', {
      chat_id: '-1000000000042',
      chat_name: 'Rice lovers',
      topics: { 0: { photo_blocked: true } },
      topic_names: Object.fromEntries(
        [
          'Announcements',
          'צ׳אט חופשי',
          'ご飯の炊き方',
          'A name that goes on for longer than any row is',
        ].flatMap((name, index) =>
          [0, 10, 20].map((ten) => [4 + index + ten, `${name} ${ten + 1}`]),
        ),
      ),
    }),
    reach: async (app) => {
      const dialog = app.getByRole('dialog', { name: 'Add a topic' });
      const opener = app.getByRole('button', { name: 'Add topic', exact: true });
      await expect(opener.or(dialog).first()).toBeAttached();
      if (!(await dialog.isVisible())) {
        await opener.click();
      }
      await expect(
        dialog.getByRole('button', { name: 'Add Announcements 1, Topic 4' }),
      ).toBeVisible();
    },
  },
  'where to copy settings to': {
    isMember: true,
    path: upgraded,
    prepare: withTopics,
    reach: openCopying,
  },
  'what copying changes': {
    isMember: true,
    path: upgraded,
    prepare: withTopics,
    reach: async (app) => {
      const summary = app.getByText('Topic 9: 3 changes');
      if (!(await summary.isVisible())) {
        await openCopying(app);
        await app.getByRole('checkbox', { name: /^All topics/ }).check();
        await app.getByRole('button', { name: 'Preview' }).click();
        await summary.click();
      }
      await expect(app.getByText('dice: Blocked → Allowed')).toBeVisible();
    },
  },
  'the history of a chat': {
    isMain: true,
    isMember: true,
    path: history,
    prepare: answer('/*/changes*', { changes, has_more: true }),
    reach: async (app) => {
      await expect(app.getByRole('button', { name: 'Show more' })).toBeVisible();
      const opener = app.getByRole('button', { name: 'Show 12 settings' });
      if (await opener.isVisible()) {
        await opener.click();
      }
      await expect(app.getByText('Topic 12')).toBeVisible();
    },
  },
  'a history without changes': {
    isMember: true,
    path: history,
    prepare: answer('/*/changes*', { changes: [], has_more: false }),
    reach: (app) => expect(app.getByText('No changes yet')).toBeVisible(),
  },
  'a history that cannot be loaded': {
    isMember: true,
    path: history,
    prepare: answer('/*/changes*', {}, 400),
    reach: (app) => expect(app.getByText('The changes could not be loaded.')).toBeVisible(),
  },
  'groups that wait to be verified': {
    isMember: true,
    path: () => '/dashboard',
    prepare: answer('', {
      chats: [{ chat_id: '-42', chat_name: 'Rice lovers' }],
      unverified: [
        { chat_id: '-43', chat_name: 'Seaweed club' },
        { chat_id: '-44', chat_name: '' },
      ],
    }),
    reach: (app) => expect(app.getByRole('link', { name: /Seaweed club/ })).toBeVisible(),
  },
};
