/** The settings of one managed chat, open in the app, and what tests of them look at. */
import { screen } from '@testing-library/react';
import { expect } from 'vitest';

import { setSetting } from '#contract/endpoints/chats';

import { giveChats } from './managed-chats.ts';
import { renderApp, startServer } from './render-app.ts';

const person = 123456789;
export const cats = -1001234567890;

export type App = Awaited<ReturnType<typeof openSettings>>;

/** The settings of "Cat lovers", which `person` manages. */
export async function openSettings({
  path = `/dashboard?chat=${cats}`,
  topics = [0],
  name = 'Cat lovers',
  launch = false,
}: {
  readonly path?: string;
  readonly topics?: readonly number[];
  readonly name?: string;
  /** Opened from Telegram. */
  readonly launch?: boolean;
} = {}) {
  const testServer = await startServer();
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

/** What the headings of the topics say, in the page's order. */
export const topicHeadings = () =>
  screen
    .queryAllByRole('heading', { level: 3 })
    .filter((heading) => heading.querySelector('[id^="topic-"]') !== null)
    .map((heading) => heading.textContent);

/** What every refused toggle says. */
export const updateFailed = 'Failed to update setting. Please try again.';

/** What the server has for photos in General; undefined when nobody has set it. */
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
