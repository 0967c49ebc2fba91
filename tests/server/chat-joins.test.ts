import * as v from 'valibot';
/** Managers see on the dashboard whose checks are open, and settle them by hand. */
import { expect, test } from 'vitest';

import { type ChatEvent } from '#contract/endpoints/chat-activity';
import { listJoins, settleJoin } from '#contract/endpoints/chat-joins';
import { addChat, verifyChat } from '#contract/endpoints/chats';
import { readCapabilities } from '#contract/endpoints/site';
import { signIn } from '#tests/chats';
import { olga } from '#tests/command-group';
import { newcomer, startNewcomers, uma, vic } from '#tests/newcomers';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

const chat_id = String(groupId);

async function startManaged() {
  const group = await startNewcomers();
  const me = await signIn(group.server, olga);
  await group.server.call(addChat, { chat_id }, me);
  await group.server.call(verifyChat, { chat_id, otp: group.api.lastCode(olga) }, me);
  const list = async () => {
    const { body } = await group.server.call(listJoins, { chat_id }, me);
    return v.parse(listJoins.output, body).joins;
  };
  const settle = (person: number, result: 'let_in' | 'turn_away') =>
    group.server.call(settleJoin, { chat_id, telegram_id: String(person), result }, me);
  return { ...group, me, list, settle };
}

test('a manager sees who waits, with names, since when and until when', async () => {
  const group = await startManaged();
  await group.joins(uma);
  group.server.wait(minute);
  await group.joins(vic);
  const startedAt = Math.floor(group.server.now() / 1000) * 1000;

  expect(await group.list()).toEqual([
    {
      telegram_id: String(vic),
      name: `Person ${vic}`,
      kind: 'task',
      started_at: startedAt,
      due_at: group.server.now() + 5 * minute,
    },
    expect.objectContaining({ telegram_id: String(uma) }),
  ]);

  await group.answersRight(uma);
  expect(await group.list()).toHaveLength(1);
});

test('a manager lets one in and turns another away; what is settled is found no more', async () => {
  const group = await startManaged();
  await group.joins(uma);
  await group.joins(vic);

  expect((await group.settle(uma, 'let_in')).status).toBe(204);
  expect((await group.settle(vic, 'turn_away')).status).toBe(204);

  expect(group.mayWrite(uma)).toBe(true);
  expect(group.status(vic)).toBe('kicked');
  expect(await group.list()).toEqual([]);
  expect((await group.settle(uma, 'turn_away')).status).toBe(404);
  expect(group.mayWrite(uma)).toBe(true);
});

test('others see and settle nothing', async () => {
  const group = await startManaged();
  await group.joins(uma);
  const stranger = await signIn(group.server, 999_999);

  const [listed, settled] = [
    await group.server.call(listJoins, { chat_id }, stranger),
    await group.server.call(
      settleJoin,
      { chat_id, telegram_id: String(uma), result: 'let_in' },
      stranger,
    ),
  ];

  expect([listed.status, settled.status]).toEqual([404, 403]);
  expect(group.mayWrite(uma)).toBe(false);
});

test('open pages hear that checks have changed, but not of each of many at once', async () => {
  const group = await startManaged();
  const events: ChatEvent[] = [];
  group.server.services.chatEvents.follow(groupId, (event) => void events.push(event));
  const countHeard = () => events.filter(({ kind }) => kind === 'join').length;

  for (const person of Array.from({ length: 8 }, (_one, index) => newcomer(index))) {
    group.api.updates.push(group.api.moves.join(groupId, person));
  }
  await group.settled();

  // The first at once, and all others together.
  await expect.poll(countHeard, { timeout: 5000 }).toBe(2);
  expect(await group.list()).toHaveLength(8);
});

test('the server announces it where it has a bot', async () => {
  const group = await startManaged();
  const { body } = await group.server.call(readCapabilities, {});
  expect(body).toMatchObject({ capabilities: expect.arrayContaining(['chats.joins']) });
});
