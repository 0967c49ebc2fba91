/**
 * While Telegram is slow or the database is unavailable: blocked messages are deleted, and no
 * update is lost.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { openDatabase } from '#server/db/client';
import { giveChats } from '#tests/chats';
import { ann, bo, continueWith, startGroup } from '#tests/command-group';
import { chatId, inOrder, later, moderatedChat, people, waitingRows } from '#tests/moderated-chat';
import { samples } from '#tests/sample-messages';
import { groupId } from '#tests/test-bot';
import { createTestServer } from '#tests/test-server';

const help = { text: '/help', entities: [{ type: 'bot_command', offset: 0, length: 5 }] };

test('while an answer to a command hangs, blocked messages in the same chat are deleted', async () => {
  const { api, block, deleted, message } = await moderatedChat({
    variables: { BOT_MODE: 'polling' },
  });
  await block(['photo']);
  api.fail('sendMessage', 'hang');
  const photo = message(samples.photo);

  api.updates.push({ message: message(help) });
  await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(1);
  api.updates.push({ message: photo });

  await expect.poll(deleted).toEqual([photo.message_id]);
  // Stopping the bot would wait for the answer.
  await api.close();
});

test('while a deletion in one chat is not answered, messages of other chats are deleted', async () => {
  const chat = await moderatedChat({ variables: { BOT_MODE: 'polling' } });
  const { api, server } = chat;
  const other = -1_001_000_000_043;
  api.addChat({ id: other, creator: people.owner, members: [people.member] });
  await giveChats(server, people.owner, [{ id: other, isDemo: false }]);
  await chat.block(['photo']);
  await chat.block(['photo'], { chat: other });
  const answer = Promise.withResolvers<void>();
  api.hold('deleteMessage', answer.promise);
  api.updates.push({ message: chat.message(samples.photo) });
  await expect.poll(() => api.callsTo('deleteMessage')).toHaveLength(1);

  const there = Array.from({ length: 5 }, () =>
    chat.message({ ...samples.photo, chat: { id: other, type: 'supergroup', title: 'Rice' } }),
  );
  for (const message of there) {
    api.updates.push({ message });
    await api.updates.confirmed();
  }

  await expect
    .poll(() => inOrder(api.deletions.of(other)))
    .toEqual(there.map(({ message_id }) => message_id));
  expect(api.deletions.of(chatId)).toHaveLength(1);
  answer.resolve();
  await server.handled();
});

const flood = {
  error_code: 429,
  description: 'Too Many Requests: retry after 1',
  parameters: { retry_after: 1 },
};

/** A chat that blocks photos, and a database that can be made read-only. */
async function chatOnWeakDisk(variables: Readonly<Record<string, string>>) {
  const database = openDatabase({});
  const chat = await moderatedChat({ database, variables });
  await chat.block(['photo']);
  const takeWrites = (takes: boolean) =>
    sql.raw(`pragma query_only = ${takes ? 'off' : 'on'}`).execute(database.db);
  const triesAgain = (times: number) =>
    expect
      .poll(() => chat.server.logLines.filter((line) => line.includes('tried again')).length)
      .toBeGreaterThanOrEqual(times);
  return { ...chat, database, takeWrites, triesAgain };
}

test('an update that cannot be saved is not confirmed, and handled as soon as it can', async () => {
  const chat = await chatOnWeakDisk({ BOT_MODE: 'polling' });
  const photo = chat.message(samples.photo);
  await chat.takeWrites(false);

  chat.api.updates.push({ message: photo });
  await chat.triesAgain(2);
  expect(chat.api.updates.waiting()).toHaveLength(1);
  expect(chat.deleted()).toEqual([]);

  await chat.takeWrites(true);
  await chat.api.updates.confirmed();
  await chat.server.handled();
  expect(chat.api.deletions.gone(chatId)).toEqual([photo.message_id]);
});

test('a deletion that has to wait keeps its update until it could be saved', async () => {
  const chat = await chatOnWeakDisk({ BOT_MODE: 'polling' });
  const refusal = Promise.withResolvers<void>();
  const photo = chat.message(samples.photo);
  chat.api.fail('deleteMessage', flood);
  chat.api.hold('deleteMessage', refusal.promise);
  chat.api.updates.push({ message: photo });
  await chat.api.updates.confirmed();
  await expect.poll(() => chat.api.callsTo('deleteMessage')).toHaveLength(1);

  await chat.takeWrites(false);
  refusal.resolve();
  await chat.triesAgain(2);
  expect(await waitingRows(chat)).toEqual([]);

  await chat.takeWrites(true);
  await chat.server.handled();
  expect(await waitingRows(chat)).toMatchObject([{ message_id: photo.message_id }]);
  await later(chat, 1000);
  expect(chat.api.deletions.gone(chatId)).toEqual([photo.message_id]);
});

test('a bot that is stopped while the database is read-only receives the update again', async () => {
  const chat = await chatOnWeakDisk({ BOT_MODE: 'polling' });
  await chat.takeWrites(false);
  const photo = chat.message(samples.photo);
  chat.api.updates.push({ message: photo });
  await chat.triesAgain(1);

  await chat.server.stopBot();
  expect(chat.api.updates.waiting()).toMatchObject([{ message: photo }]);

  await chat.takeWrites(true);
  const { api, database } = chat;
  const next = await createTestServer({
    bot: { api },
    database: { ...database, close: () => Promise.resolve() },
  });
  await api.updates.confirmed();
  await next.handled();
  expect(api.deletions.gone(chatId)).toEqual([photo.message_id]);
  await next.close();
});

test('the upgrade of a group to a supergroup is stored once the database accepts writes again', async () => {
  const chat = await chatOnWeakDisk({ BOT_MODE: 'polling' });
  const newId = -1_001_000_000_999;
  await chat.takeWrites(false);

  chat.api.updates.push({ message: chat.message({ migrate_to_chat_id: newId }) });
  await chat.triesAgain(2);
  await chat.takeWrites(true);
  await chat.api.updates.confirmed();
  await chat.server.handled();

  const { db } = chat.database;
  expect(await db.selectFrom('chats').select('chat_id').execute()).toEqual([{ chat_id: newId }]);
});

/** A group, and a database that is read-only once Telegram has done what it was asked for. */
async function startOnWeakDisk() {
  // A second server uses it, too.
  const database = { ...openDatabase({}), close: () => Promise.resolve() };
  const group = await startGroup({ database });
  const { api, server } = group;
  const takeWrites = (takes: boolean) =>
    sql.raw(`pragma query_only = ${takes ? 'off' : 'on'}`).execute(database.db);

  /** Resolves when Telegram has done what was asked for, and the database could not save it. */
  const losesDiskAt = async (method: string, update: Promise<unknown>) => {
    const answer = Promise.withResolvers<void>();
    api.hold(method, answer.promise);
    void update.catch(() => undefined);
    await expect.poll(() => api.callsTo(method)).toHaveLength(1);
    await takeWrites(false);
    answer.resolve();
    await expect
      .poll(() => server.logLines.filter((line) => line.includes('could not store an update')))
      .not.toEqual([]);
  };
  return { ...group, takeWrites, losesDiskAt };
}

test('what was done in a group is recorded and answered once the database accepts writes again', async () => {
  const group = await startOnWeakDisk();
  const { api } = group;
  const said = group.says(bo, '/ban 1h spam', { to: ann });
  await group.losesDiskAt('banChatMember', said);
  expect(api.members.read(groupId, ann).status).toBe('kicked');
  expect(api.messages).toEqual([]);

  await group.takeWrites(true);
  await said;
  expect(await group.listActions()).toEqual([
    { kind: 'ban', by_id: bo, target_id: ann, reason: 'spam' },
  ]);
  const answers = api.messages.filter(({ text }) => text.startsWith('Ann is banned'));
  expect(answers).toHaveLength(1);
  expect(answers[0] && api.show(answers[0])?.buttons).toEqual([['Undo'], ['Delete messages']]);
});

test('what was begun while the database was away is finished by the next server', async () => {
  const group = await startOnWeakDisk();
  await group.losesDiskAt('banChatMember', group.says(bo, '/ban', { to: ann }));
  await group.server.stopBot();
  expect(await group.listActions()).toEqual([]);

  await group.takeWrites(true);
  await continueWith(group);
  expect(await group.listActions()).toMatchObject([{ kind: 'ban', by_id: bo, target_id: ann }]);
  expect(group.lastText()).toBe('Ann is banned.');
});

test('what a press has undone is recorded once the database accepts writes again', async () => {
  const group = await startOnWeakDisk();
  await group.says(bo, '/ban', { to: ann });
  const pressed = group.press([bo, 'Undo']);
  await group.losesDiskAt('unbanChatMember', pressed);
  await group.takeWrites(true);
  const { answers, shown } = await pressed;

  expect(answers).toEqual(['Undone.']);
  expect(shown).toMatchObject({ text: 'Ann may join again.\n\nUndone by Bo.', buttons: [] });
  const actions = await group.listActions();
  expect(actions.map(({ kind }) => kind).toSorted()).toEqual(['ban', 'unban']);
});

test('an answer for a minute is sent once, also when the database is away before what comes after it', async () => {
  const group = await startOnWeakDisk();
  group.group.knowsEphemeral = false;
  const said = group.says(bo, '/admins');
  await group.losesDiskAt('sendMessage', said);
  await group.takeWrites(true);
  const command = await said;

  expect(group.api.messages).toHaveLength(1);
  const rows = await group.server.db.selectFrom('due_deletions').select('message_id').execute();
  expect(inOrder(rows.map((row) => row.message_id))).toEqual([1, command]);
});

test('the webhook makes Telegram send again after a second what could not be saved', async () => {
  const chat = await chatOnWeakDisk({
    BOT_MODE: 'webhook',
    PUBLIC_URL: 'https://nori.example.org',
  });
  await expect.poll(() => chat.api.updates.webhook()).toBeDefined();
  await chat.takeWrites(false);
  const photo = chat.message(samples.photo);
  const send = () =>
    chat.server.request('/backend/bot/updates', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Telegram-Bot-Api-Secret-Token': String(chat.api.updates.webhook()?.['secret_token']),
      },
      body: JSON.stringify({ update_id: 1, message: photo }),
    });

  const refused = await send();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('Retry-After')).toBe('1');
  expect(chat.deleted()).toEqual([]);

  await chat.takeWrites(true);
  expect((await send()).status).toBe(204);
  await chat.server.handled();
  expect(chat.deleted()).toEqual([photo.message_id]);
});
