/** A chat with two owners: the one at the page, and another one on a device of her own. */
import { expect } from 'vitest';

import { changeSettings } from '#contract/endpoints/chat-changes';
import { setSetting } from '#contract/endpoints/chats';

import { cats, openSettings } from './open-settings.ts';
import { type TestServer } from './test-server.ts';

const mara = 222_333_444;

/** Topic → setting → blocked. */
type Wishes = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

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
    async change(topics: Wishes): Promise<void> {
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
