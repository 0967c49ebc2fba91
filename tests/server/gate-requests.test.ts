/** The join gate and Telegram: with and without queries, under load, when something is away, and when decisions come late. */
import { sql } from 'kysely';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';

import { readChatHealth } from '#contract/endpoints/chat-activity';
import { openDatabase } from '#server/db/client';
import { chatId, manage, owner, signIn, startWorld } from '#tests/chats';
import { ann } from '#tests/command-group';
import { createVisits, eve, fay, startGateGroup } from '#tests/gate';
import { mistake } from '#tests/join-tasks';
import { groupId } from '#tests/test-bot';
import { createTestServer } from '#tests/test-server';

const five = 5 * 60;

test('where the bot is no guard, a message with a button opens the gate, also for who never started the bot', async () => {
  const group = await startGateGroup({ group: { isGuarded: false } });
  group.api.setReach(eve, 'never started');
  await group.asks(eve);

  const message = group.api.messages.find(({ to }) => to === eve);
  expect(message?.text).toBe(
    'You asked to join “Otters”. Read its rules and do a short task, and you are in. You have 5 minutes.',
  );
  expect(message?.body['reply_markup']).toEqual({
    inline_keyboard: [
      [{ text: 'Continue', web_app: { url: `https://nori.example/gate?chat=${groupId}` } }],
    ],
  });
  expect(await group.answers(eve, undefined, { chatId: groupId })).toMatchObject({ state: 'in' });
  expect(group.api.callsTo('approveChatJoinRequest')).toHaveLength(1);
  expect(group.api.requests.read(groupId, eve)).toBe('approved');
});

test('without a guard, wrong answers and time that is over decline the request, too', async () => {
  const group = await startGateGroup({ group: { isGuarded: false } });
  await group.asks(eve);
  for (let tries = 0; tries < 3; tries += 1) {
    await group.answers(eve, mistake);
  }
  await group.asks(fay);
  await group.waitsFor(five);

  expect(group.api.requests.read(groupId, eve)).toBe('declined');
  expect(group.api.requests.read(groupId, fay)).toBe('declined');
  await group.asks(eve);
  expect(group.api.requests.read(groupId, eve)).toBe('declined');
});

test('a query that is spent by the time of the answer is replaced by the other way', async () => {
  const group = await startGateGroup();
  await group.asks(eve);
  group.api.requests.expireQueries();

  expect(await group.answers(eve)).toMatchObject({ outcome: 'right', state: 'in' });
  expect(group.api.callsTo('answerChatJoinRequestQuery')).toHaveLength(1);
  expect(group.api.requests.read(groupId, eve)).toBe('approved');
});

test('a server of the Bot API that knows no queries gets the message instead', async () => {
  const group = await startGateGroup();
  group.api.bot.knowsQueries = false;
  await group.asks(eve);

  expect(group.api.messages.filter(({ to }) => to === eve)).toHaveLength(1);
  expect(await group.answers(eve)).toMatchObject({ state: 'in' });
});

test('who cannot be reached is left to the administrators', async () => {
  const group = await startGateGroup({ group: { isGuarded: false } });
  group.api.setReach(eve, 'blocked');
  await group.asks(eve);
  await group.waitsFor(five);

  expect(group.api.requests.read(groupId, eve)).toBe('pending');
});

test('other modes leave requests to the administrators', async () => {
  const group = await startGateGroup();
  await group.set({ captcha_mode: 'button' });
  await group.asks(eve);

  expect(group.api.callsTo('answerChatJoinRequestQuery')).toMatchObject([
    { body: { result: 'queue' } },
  ]);
  expect(group.api.requests.read(groupId, eve)).toBe('pending');
});

test('without an address that Telegram can open, requests are left to the administrators', async () => {
  const group = await startGateGroup({ variables: { PUBLIC_URL: 'http://127.0.0.1:8080' } });
  await group.asks(eve);

  expect(group.api.callsTo('answerChatJoinRequestQuery')).toMatchObject([
    { body: { result: 'queue' } },
  ]);
});

test('during raid protection requests wait for the administrators; under attack they go through the gate', async () => {
  const group = await startGateGroup();
  await group.set({ raid_until: group.server.now() + 60_000 });
  await group.asks(eve);
  expect(group.api.requests.page(groupId, eve)).toBeUndefined();
  expect(group.api.callsTo('answerChatJoinRequestQuery')).toMatchObject([
    { body: { result: 'queue' } },
  ]);

  const now = group.server.now();
  await group.set({
    captcha_mode: 'off',
    raid_until: null,
    attack: { since: now, until: now + 60_000 },
  });
  await group.asks(fay);
  expect(group.api.requests.page(groupId, fay)).toMatch(/\/gate\?chat=/);
});

test('a request is answered while 200 messages of its group wait', async () => {
  const group = await startGateGroup();
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The first message of the group waits for Telegram, and all others for it.
  group.api.hold('sendMessage', held);
  for (let count = 0; count < 200; count += 1) {
    group.api.updates.push({
      message: group.toMessage(ann, { text: '/id', entities: [] }),
    });
  }
  group.api.requests.add(groupId, eve);

  await expect
    .poll(() => group.api.requests.page(groupId, eve), { interval: 5 })
    .toMatch(/\/gate\?chat=/);
  release();
  await group.server.handled();
});

test('while the database is away the administrators get the request; afterwards the person can pass the gate all the same', async () => {
  const database = openDatabase({});
  const group = await startGateGroup({ database });
  await group.api.updates.asked();
  await sql.raw('pragma query_only = on').execute(database.db);
  group.api.requests.add(groupId, eve);
  await expect
    .poll(() => group.api.callsTo('answerChatJoinRequestQuery'))
    .toMatchObject([{ body: { result: 'queue' } }]);
  expect(group.api.requests.read(groupId, eve)).toBe('pending');

  await sql.raw('pragma query_only = off').execute(database.db);
  await group.api.updates.confirmed();
  await group.server.handled();
  expect(group.api.messages.filter(({ to }) => to === eve)).toHaveLength(1);
  expect(await group.answers(eve)).toMatchObject({ state: 'in' });
});

test('when the check cannot be stored, the administrators get the request', async () => {
  const database = openDatabase({});
  const group = await startGateGroup({ database });
  await sql
    .raw("create trigger full before insert on join_checks begin select raise(abort, 'full'); end")
    .execute(database.db);
  group.api.requests.add(groupId, eve);
  await group.api.updates.confirmed();
  await group.server.handled();

  expect(group.api.callsTo('answerChatJoinRequestQuery')).toMatchObject([
    { body: { result: 'queue' } },
  ]);
});

test('a decision that Telegram did not hear is told again', async () => {
  const group = await startGateGroup();
  await group.asks(eve);
  group.api.fail('answerChatJoinRequestQuery', 'reset', 2);
  group.api.fail('approveChatJoinRequest', 'reset', 2);

  expect(await group.answers(eve)).toMatchObject({ outcome: 'right', state: 'passed' });
  expect(group.api.requests.read(groupId, eve)).toBe('pending');
  await group.waitsFor(15);
  expect(group.api.requests.read(groupId, eve)).toBe('approved');
  expect(await group.opens(eve)).toMatchObject({ state: 'in' });
});

test('without the right to invite, who has passed waits for the administrators', async () => {
  const group = await startGateGroup({ group: { isGuarded: false } });
  await group.asks(eve);
  group.group.botRights = ['delete', 'restrict'];

  expect(await group.answers(eve)).toMatchObject({ outcome: 'right', state: 'passed' });
});

test('an administrator decides about an open check', async () => {
  const group = await startGateGroup();
  await group.asks(eve);
  await group.asks(fay);
  const { gate } = group.server.services;

  expect(await gate.decide({ chatId: groupId, telegramId: eve }, 'let_in')).toBe(true);
  expect(await gate.decide({ chatId: groupId, telegramId: eve }, 'failed')).toBe(false);
  expect(await gate.decide({ chatId: groupId, telegramId: fay }, 'failed')).toBe(true);
  expect(group.api.requests.read(groupId, eve)).toBe('approved');
  expect(group.api.requests.read(groupId, fay)).toBe('declined');
  expect(await group.opens(eve)).toMatchObject({ state: 'in' });
});

test('the same update twice begins one check', async () => {
  const group = await startGateGroup();
  const queryId = group.api.requests.add(groupId, eve);
  await group.api.updates.confirmed();
  await group.server.handled();
  await group.answers(eve, mistake);
  await group.hears({
    chat_join_request: {
      chat: { id: groupId, type: 'supergroup', title: 'Otters' },
      from: { id: eve, is_bot: false, first_name: 'Eve' },
      user_chat_id: eve,
      date: Math.floor(group.server.now() / 1000),
      query_id: queryId,
    },
  });

  expect(await group.opens(eve)).toMatchObject({ state: 'open', tries_left: 2 });
});

test('the health of a chat says whether its requests come to the bot', async () => {
  const world = await startWorld();
  const me = await signIn(world.server, owner);
  await manage(world, me, world.chat);
  const readGuard = async () => {
    const { body } = await world.server.call(readChatHealth, { chat_id: chatId }, me);
    return v.parse(readChatHealth.output, body).guard;
  };

  expect(await readGuard()).toBe(false);
  world.chat.isGuarded = true;
  world.server.wait(60_000);
  expect(await readGuard()).toBe(true);
});

test('a new key of the server, with the one before beside it, changes no task and opens the query', async () => {
  const group = await startGateGroup();
  await group.asks(eve);
  const before = await group.opens(eve);
  await group.server.stopBot();
  const next = await createTestServer({
    bot: { api: group.api },
    database: { ...group.server.database, close: () => Promise.resolve() },
    variables: {
      PUBLIC_URL: 'https://nori.example',
      SECRET_KEY: 'another-key-of-tests-32-characters',
      SECRET_KEY_PREVIOUS: 'a-key-of-tests-with-32-characters',
    },
  });
  onTestFinished(next.close);
  const visits = createVisits({ api: group.api, server: next });

  expect((await visits.opens(eve)).task?.words).toEqual(before.task?.words);
  expect(await visits.answers(eve)).toMatchObject({ state: 'in' });
  expect(group.api.callsTo('approveChatJoinRequest')).toEqual([]);
});
