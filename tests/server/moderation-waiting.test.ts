/** Deletions that Telegram does not accept now wait, and none is lost. */
import { expect, test } from 'vitest';

import { readDeletions } from '#contract/endpoints/chat-activity';
import { giveChats } from '#tests/chats';
import {
  chatId,
  moderatedChat,
  inOrder,
  people,
  later,
  listen,
  waitingRows,
} from '#tests/moderated-chat';
import { samples } from '#tests/sample-messages';

const hourMs = 3_600_000;

test('after a flood error deletions wait as long as Telegram says, and none is lost', async () => {
  const chat = await moderatedChat();
  await chat.block(['photo']);
  await chat.write(samples.photo);
  chat.api.fail('deleteMessage', {
    error_code: 429,
    description: 'Too Many Requests: retry after 30',
    parameters: { retry_after: 30 },
  });
  chat.api.forgetCalls();

  const [first] = await chat.write(samples.photo);
  const others = await chat.write(samples.photo, samples.photo);
  await later(chat, 29_000);
  expect(chat.api.calls).toHaveLength(1);

  await later(chat, 1000);

  expect(inOrder(chat.deleted().slice(1))).toEqual(inOrder([first, ...others]));
  expect(await waitingRows(chat)).toEqual([]);
  // Messages are counted once, however many calls they needed.
  await chat.server.services.deletionCounts.save();
  const { body } = await chat.server.call(
    readDeletions,
    { chat_id: String(chatId) },
    {
      token: (
        await chat.server.services.sessions.start(people.owner, { address: '', userAgent: 'Test' })
      ).token,
    },
  );
  expect(body).toMatchObject({ day: { photo_blocked: 4 }, week: { photo_blocked: 4 } });
});

test('after Telegram has wanted fewer calls, those about a chat come less often', async () => {
  const chat = await moderatedChat();
  await chat.block(['photo']);
  chat.api.fail('deleteMessage', {
    error_code: 429,
    description: 'Too Many Requests: retry after 1',
    parameters: { retry_after: 1 },
  });
  const [first] = await chat.write(samples.photo);
  await later(chat, 1000);
  const began = performance.now();

  const [second] = await chat.write(samples.photo);
  const [third] = await chat.write(samples.photo);

  expect(performance.now() - began).toBeGreaterThan(240);
  expect(chat.deleted()).toEqual([first, second, third]);
});

test('of messages deleted in one call, those that were gone already do not count as certain', async () => {
  const chat = await moderatedChat();
  await chat.block(['photo']);
  const answer = Promise.withResolvers<void>();
  chat.api.hold('deleteMessage', answer.promise);
  const alone = chat.write(samples.photo);
  await chat.api.deletions.reach(chatId, 1);
  const together = Array.from({ length: 3 }, () => chat.message(samples.photo));
  chat.api.deletions.vanish(chatId, ...together.slice(1).map(({ message_id }) => message_id));
  const handled = together.map((one) => chat.server.services.moderation.handleMessage(one));
  answer.resolve();
  await Promise.all([alone, ...handled]);

  await chat.server.services.deletionCounts.save();
  const { body } = await chat.server.call(
    readDeletions,
    { chat_id: String(chatId) },
    {
      token: (
        await chat.server.services.sessions.start(people.owner, { address: '', userAgent: 'Test' })
      ).token,
    },
  );
  expect(body).toEqual({
    day: { photo_blocked: 4 },
    week: { photo_blocked: 4 },
    exact: { day: { photo_blocked: 1 }, week: { photo_blocked: 1 } },
  });
});

test('when two chats have to wait, all chats wait', async () => {
  const chat = await moderatedChat();
  const { api, server } = chat;
  const others = [-1_001_000_000_043, -1_001_000_000_044];
  for (const id of others) {
    api.addChat({ id, creator: people.owner });
  }
  await server.db
    .insertInto('chats')
    .values(others.map((id) => ({ chat_id: id, chat_name: '', is_demo: 0, created_at: 0 })))
    .execute();
  await server.db
    .insertInto('topics')
    .values(others.map((id) => ({ chat_id: id, topic_id: 0, created_at: 0 })))
    .execute();
  await server.db
    .insertInto('topic_settings')
    .values(
      others.map((id) => ({
        chat_id: id,
        topic_id: 0,
        name: 'photo_blocked',
        is_blocked: 1,
        updated_at: 0,
      })),
    )
    .execute();
  await chat.block(['photo']);
  const [second = 0, third = 0] = others;
  const flood = {
    error_code: 429,
    description: 'Too Many Requests',
    parameters: { retry_after: 20 },
  };
  api.fail('deleteMessage', flood, 2);

  await chat.write(samples.photo);
  await chat.write({ ...samples.photo, chat: { id: second } });
  await chat.write({ ...samples.photo, chat: { id: third } });

  expect(api.callsTo('deleteMessage')).toHaveLength(2);
  await later(chat, 20_000);
  expect(api.deletions.all).toHaveLength(3);
});

test('while Telegram is unavailable, deletions wait longer each time, and survive a restart', async () => {
  const chat = await moderatedChat();
  await chat.block(['photo']);
  await chat.write(samples.photo);
  chat.api.failAll('reset');
  const [lost] = await chat.write(samples.photo);
  const before = chat.api.calls.length;

  await later(chat, 1000);
  await later(chat, 1000);
  const tries = chat.api.calls.length - before;
  expect(await waitingRows(chat)).toMatchObject([{ message_id: lost, setting: 'photo_blocked' }]);
  // A call over a reset connection is repeated at once; after two seconds the next retry is not due.
  expect(tries).toBeLessThanOrEqual(2);

  chat.api.failAll();
  const next = await moderatedChat({ database: chat.server.database, isRestart: true });
  next.server.wait(5 * 60_000);
  await next.server.services.deletions.deleteDue();

  expect(next.api.deletions.of(chatId)).toEqual([lost]);
  expect(await waitingRows(next)).toEqual([]);
});

test.each([
  'html',
  'reset',
  { error_code: 500, description: 'Internal Server Error' },
  { error_code: 401, description: 'Unauthorized' },
] as const)(
  'a deletion that fails with %j is retried until the message is too old',
  async (failure) => {
    const chat = await moderatedChat();
    await chat.block(['photo']);
    await chat.write(samples.photo);
    chat.api.failAll(failure);
    await chat.write(samples.photo);

    await later(chat, 47 * hourMs);
    expect(await waitingRows(chat)).toHaveLength(1);
    await later(chat, 2 * hourMs);
    chat.api.failAll();
    await later(chat, 1000);

    expect(await waitingRows(chat)).toEqual([]);
    expect(chat.deleted()).toHaveLength(1);
  },
);

test('nothing is deleted while the administrators are unknown', async () => {
  const chat = await moderatedChat();
  await chat.block(['photo']);
  chat.api.fail(
    'getChatAdministrators',
    { error_code: 503, description: 'Service Unavailable' },
    2,
  );

  const [guest] = await chat.write(samples.photo);
  await chat.write({
    ...samples.photo,
    from: { id: people.administrator, is_bot: false, first_name: 'Al' },
  });
  expect(chat.deleted()).toEqual([]);

  await later(chat, 5000);
  expect(chat.deleted()).toEqual([]);
  await later(chat, 10_000);

  expect(chat.deleted()).toEqual([guest]);
  expect(await waitingRows(chat)).toEqual([]);
});

test('when Telegram limits a call about one chat, the bot makes no such call about other chats meanwhile', async () => {
  const chat = await moderatedChat();
  const other = -1_001_000_000_043;
  chat.api.addChat({ id: other, creator: people.owner, members: [people.member] });
  await giveChats(chat.server, people.owner, [{ id: other, isDemo: false }]);
  await chat.block(['photo']);
  await chat.block(['photo'], { chat: other });
  chat.api.fail('getChatAdministrators', {
    error_code: 429,
    description: 'Too Many Requests: retry after 30',
    parameters: { retry_after: 30 },
  });

  const here = await chat.write(samples.photo);
  const there = await chat.write({ ...samples.photo, chat: { id: other } });
  await later(chat, 29_000);
  expect(chat.api.callsTo('getChatAdministrators')).toHaveLength(1);

  await later(chat, 10_000);
  expect(chat.api.deletions.of(chatId)).toEqual(here);
  expect(chat.api.deletions.of(other)).toEqual(there);
});

test('a group that became a supergroup keeps its settings, and old IDs delete no messages of the new group', async () => {
  const chat = await moderatedChat();
  const newId = -1_001_000_000_999;
  await chat.block(['photo']);
  await chat.write(samples.photo);
  const heard = listen(chat);
  chat.api.upgrade(chatId, newId);

  await chat.write(samples.photo);
  expect(chat.api.deletions.of(newId)).toEqual([]);
  expect(heard).toEqual(['upgraded']);

  const [there] = await chat.write({ ...samples.photo, chat: { id: newId } });
  await later(chat, hourMs);

  expect(chat.api.deletions.of(newId)).toEqual([there]);
});
