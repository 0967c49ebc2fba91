/** The settings of one managed chat, open in the app, and what tests read and change there. */
import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';

import { changeSettings } from '#contract/endpoints/chat-changes';
import { setSetting } from '#contract/endpoints/chats';
import { type ServerLanguages } from '#server/lib/languages';

import { giveChats } from './chats.ts';
import { renderApp, startServer } from './render-app.ts';
import { type TestServer } from './test-server.ts';

const person = 123456789;
export const cats = -1001234567890;

export type App = Awaited<ReturnType<typeof openSettings>>;

/** The settings of "Cat lovers", which `person` manages. */
export async function openSettings({
  path = `/dashboard?chat=${cats}`,
  topics = [0],
  name = 'Cat lovers',
  launch = false,
  languages,
}: {
  readonly path?: string;
  readonly topics?: readonly number[];
  readonly name?: string;
  /** Opened from Telegram. */
  readonly launch?: boolean;
  /** What the bot can write; English alone when absent. */
  readonly languages?: ServerLanguages;
} = {}) {
  const testServer = await startServer(languages === undefined ? {} : { languages });
  const token = await testServer.signUp(person);
  await giveChats(testServer, person, [{ id: cats, name, topics }]);
  const app = await renderApp(path, {
    server: testServer,
    as: { telegramId: person, token },
    ...(launch ? { launch: { telegramId: person } } : {}),
  });
  await screen.findByRole('switch', { name: 'photo, General' });
  return { ...app, token };
}

export const toggle = (name = 'photo, General') => screen.getByRole('switch', { name });
export const button = (name: string | RegExp) => screen.findByRole('button', { name });
export const notice = () => screen.findByRole('alert');

/** Opens a menu, and chooses one of its items: the chat's menu, or that of `of`. */
export async function choose({ user }: Pick<App, 'user'>, item: string, of = 'Menu') {
  await user.click(await button(of));
  await user.click(await screen.findByRole('menuitem', { name: item }));
}

/** Opens the details of the chat's state. */
export async function openState(app: Pick<App, 'user'>) {
  await choose(app, 'The bot in this chat');
  return screen.findByRole('dialog', { name: 'The bot in this chat' });
}

/** What the headings of the topics say, in the page's order. */
export const topicHeadings = () =>
  screen
    .queryAllByRole('heading', { level: 3 })
    .filter((heading) => heading.querySelector('[id^="topic-"]') !== null)
    .map((heading) => heading.textContent);

/** What every refused toggle says. */
export const updateFailed = 'Failed to update setting. Please try again.';

/** What the server has for photos in General; undefined when it was never set. */
export async function stored({ testServer }: App): Promise<boolean | undefined> {
  const row = await testServer.db
    .selectFrom('topic_settings')
    .select('is_blocked')
    .where('name', '=', 'photo_blocked')
    .executeTakeFirst();
  return row && row.is_blocked === 1;
}

/** Another device changes photos in General. */
export async function changeElsewhere({ testServer, token }: App, value: boolean): Promise<void> {
  const change = { chat_id: cats, topic_id: 0, setting_name: 'photo_blocked', value };
  expect((await testServer.call(setSetting, change, { token })).status).toBe(200);
}

/** The names that the server has stored as blocked in a topic, sorted. */
export async function storedIn({ testServer }: App, topicId = 0): Promise<readonly string[]> {
  const rows = await testServer.db
    .selectFrom('topic_settings')
    .select('name')
    .where('topic_id', '=', topicId)
    .where('is_blocked', '=', 1)
    .execute();
  return rows.map(({ name }) => name).toSorted();
}

/** The labels of all settings that are shown as blocked, in the page's order. */
export const shownBlocked = () =>
  screen
    .queryAllByRole('switch', { checked: true })
    .map((checked) => checked.getAttribute('aria-label'));

/** A group of settings in a topic. */
export const group = (name: string, topic = 'General') =>
  within(screen.getByRole('region', { name: new RegExp(`^${topic}`) })).getByRole('group', {
    name,
  });

const mara = 222_333_444;

/** Topic → setting → blocked. */
type TopicChanges = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

/** The other owner, whom Telegram calls Mara. */
export async function addOwner(testServer: TestServer) {
  const token = await testServer.signUp(mara);
  await testServer.db
    .updateTable('people')
    .set({ first_name: 'Mara' })
    .where('telegram_id', '=', mara)
    .execute();
  const at = testServer.now();
  await testServer.db
    .insertInto('chat_managers')
    .values({
      chat_id: cats,
      telegram_id: mara,
      owner_id: mara,
      role: 'creator',
      verified_at: at,
      checked_at: at,
    })
    .execute();

  return {
    telegramId: mara,
    /** Flips one switch. */
    async toggle(name: string, value: boolean, topic = 0): Promise<void> {
      const change = { chat_id: cats, topic_id: topic, setting_name: `${name}_blocked`, value };
      expect((await testServer.call(setSetting, change, { token })).status).toBe(200);
    },
    /** Changes many settings in one go. */
    async change(topics: TopicChanges): Promise<void> {
      const change = { chat_id: cats, kind: 'bulk', topics } as const;
      expect((await testServer.call(changeSettings, change, { token })).status).toBe(200);
    },
  };
}

/** The settings of "Cat lovers", and its other owner. */
export async function openShared(options: Parameters<typeof openSettings>[0] = {}) {
  const app = await openSettings(options);
  return { ...app, other: await addOwner(app.testServer) };
}

/** Whether a setting is blocked on the server. */
export async function isBlocked(
  { db }: TestServer,
  name: string,
  { chatId = cats, topic = 0 } = {},
): Promise<boolean> {
  const row = await db
    .selectFrom('topic_settings')
    .select('is_blocked')
    .where('chat_id', '=', chatId)
    .where('topic_id', '=', topic)
    .where('name', '=', `${name}_blocked`)
    .executeTakeFirst();
  return row?.is_blocked === 1;
}
