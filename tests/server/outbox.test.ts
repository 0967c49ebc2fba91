/** What the bot does and says in chats: in order in each chat, and no faster than Telegram takes it. */
import { describe, expect, test } from 'vitest';

import { Unfinished } from '#server/lib/errors';
import { createOutbox } from '#server/services/outbox';
import { type ActionOutcome } from '#server/upstream/telegram/calls';
import { startBotApi } from '#tests/bot-api-server';
import { ada, groupId, startBot } from '#tests/test-bot';
import { createTestServer } from '#tests/test-server';

type Outcome = ActionOutcome<string>;

const done = (result: string): Outcome => ({ kind: 'done', result });
/** The shortest that Telegram asks for. */
const waitPlease: Outcome = { kind: 'later', retryAfterS: 1 };

const [cats, dogs, owls] = [-1, -2, -3];

/** An outbox whose calls are noted, with the answers that Telegram gives to them; otherwise all is done. */
function openOutbox(
  answers: Readonly<Record<string, readonly (Outcome | Promise<Outcome>)[]>> = {},
) {
  const calls: string[] = [];
  const upgrades: unknown[] = [];
  const given = new Map(Object.entries(answers).map(([name, list]) => [name, [...list]]));
  const outbox = createOutbox(async (oldId, newId) => {
    upgrades.push([oldId, newId]);
  });
  const send = (chatId: number, name: string, memberId?: number) =>
    outbox.send(
      chatId,
      async (id) => {
        calls.push(`${name} in ${id}`);
        return given.get(name)?.shift() ?? done(name);
      },
      memberId,
    );
  return { outbox, calls, upgrades, send };
}

describe('the outbox', () => {
  test('calls about a chat are made one after the other, those about another chat meanwhile', async () => {
    const slow = Promise.withResolvers<Outcome>();
    const { calls, send } = openOutbox({ one: [slow.promise] });

    const all = [send(cats, 'one'), send(cats, 'two'), send(dogs, 'bone')];
    await expect(all[2]).resolves.toEqual(done('bone'));
    expect(calls).toEqual(['one in -1', 'bone in -2']);
    slow.resolve(done('one'));

    expect(await Promise.all(all)).toEqual([done('one'), done('two'), done('bone')]);
    expect(calls).toEqual(['one in -1', 'bone in -2', 'two in -1']);
  });

  test('what is done to one member waits for no other, and comes in order', async () => {
    const slow = Promise.withResolvers<Outcome>();
    const { calls, send } = openOutbox({ mute: [slow.promise] });
    const [tom, tim] = [1, 2];

    const muting = send(cats, 'mute', tom);
    const unmuting = send(cats, 'unmute', tom);
    await send(cats, 'ban', tim);
    await send(cats, 'hello');
    expect(calls).toEqual(['mute in -1', 'ban in -1', 'hello in -1']);
    slow.resolve(done('mute'));

    expect(await Promise.all([muting, unmuting])).toEqual([done('mute'), done('unmute')]);
    expect(calls.at(-1)).toBe('unmute in -1');
  });

  test('members are muted while Telegram wants no more messages in the chat', async () => {
    const { calls, send } = openOutbox({ hello: [waitPlease] });

    const hello = send(cats, 'hello');
    await expect.poll(() => calls).toEqual(['hello in -1']);
    await send(cats, 'mute', 1);

    expect(calls).toEqual(['hello in -1', 'mute in -1']);
    await hello;
    expect(calls).toEqual(['hello in -1', 'mute in -1', 'hello in -1']);
  });

  test('not too many members at the same moment', async () => {
    const slow = Promise.withResolvers<Outcome>();
    const { calls, send } = openOutbox({ mute: Array.from({ length: 4 }, () => slow.promise) });

    const all = Array.from({ length: 9 }, (_, memberId) => send(cats, 'mute', memberId));
    await expect.poll(() => calls).toHaveLength(4);
    slow.resolve(done('mute'));

    await Promise.all(all);
    expect(calls).toHaveLength(9);
  });

  test('a chat that Telegram makes wait keeps its order, and no other chat waits', async () => {
    const { calls, send } = openOutbox({ one: [waitPlease] });
    const began = performance.now();

    const all = Promise.all([send(cats, 'one'), send(cats, 'two')]);
    await expect.poll(() => calls).toEqual(['one in -1']);
    await send(dogs, 'bone');
    expect(calls).toEqual(['one in -1', 'bone in -2']);

    expect(await all).toEqual([done('one'), done('two')]);
    expect(calls).toEqual(['one in -1', 'bone in -2', 'one in -1', 'two in -1']);
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  test('when two chats have to wait at once, all of them do', async () => {
    const { calls, send } = openOutbox({ one: [waitPlease], bone: [waitPlease] });

    const all = [send(cats, 'one'), send(dogs, 'bone')];
    await expect.poll(() => calls).toHaveLength(2);
    const began = performance.now();
    await send(owls, 'mouse');

    expect(performance.now() - began).toBeGreaterThan(900);
    await Promise.all(all);
    expect(calls).toHaveLength(5);
  });

  test('what Telegram does not answer or refuses is given to the caller, and the next call is made', async () => {
    const silent: Outcome = { kind: 'later', retryAfterS: undefined };
    const refused: Outcome = { kind: 'refused', why: 'no right', description: 'no' };
    const { outbox, send } = openOutbox({ one: [silent], two: [refused] });

    const broken = outbox.send(cats, () => Promise.reject(new Error('broken')));
    const others = [send(cats, 'one'), send(cats, 'two'), send(cats, 'three')];

    await expect(broken).rejects.toThrow('broken');
    expect(await Promise.all(others)).toEqual([silent, refused, done('three')]);
  });

  test('a group that becomes a supergroup in the middle is called by its new ID, in the same order', async () => {
    const moved: Outcome = { kind: 'moved', chatId: dogs };
    const slow = Promise.withResolvers<Outcome>();
    const { calls, upgrades, send } = openOutbox({
      earlier: [slow.promise],
      one: [moved],
      two: [moved],
    });

    const all = [send(dogs, 'earlier'), send(cats, 'one'), send(cats, 'two'), send(dogs, 'later')];
    await expect.poll(() => upgrades).toHaveLength(1);
    slow.resolve(done('earlier'));

    expect(await Promise.all(all)).toMatchObject([{}, done('one'), done('two'), done('later')]);
    expect(upgrades).toEqual([
      [cats, dogs],
      [cats, dogs],
    ]);
    expect(calls.filter((call) => call.endsWith('in -2'))).toEqual([
      'earlier in -2',
      'later in -2',
      'one in -2',
      'two in -2',
    ]);
  });

  test('what waits when the server stops is unfinished', async () => {
    const { outbox, calls, send } = openOutbox({ one: [waitPlease] });
    const waiting = [send(cats, 'one'), send(cats, 'two')];
    await expect.poll(() => calls).toHaveLength(1);

    outbox.stop();

    for (const one of waiting) {
      await expect(one).rejects.toBeInstanceOf(Unfinished);
    }
    await expect(send(dogs, 'bone')).rejects.toBeInstanceOf(Unfinished);
    expect(calls).toEqual(['one in -1']);
  });
});

const flood = (retry_after: number) => ({
  error_code: 429,
  description: `Too Many Requests: retry after ${retry_after}`,
  parameters: { retry_after },
});

test('an answer that Telegram wants later is sent later, while other chats are answered', async () => {
  const { api, server, writes } = await startBot();
  api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  api.fail('sendMessage', flood(1));

  const inGroup = writes('/help', { chatId: groupId });
  await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(1);
  api.updates.push({
    message: {
      message_id: 1,
      date: 0,
      chat: { id: ada.id, type: 'private', first_name: 'Ada' },
      from: ada,
      text: '/help',
      entities: [{ type: 'bot_command', offset: 0, length: 5 }],
    },
  });

  await expect.poll(() => api.messages.map(({ to }) => to)).toEqual([ada.id]);
  await inGroup;
  await server.handled();
  expect(api.messages.map(({ to }) => to)).toEqual([ada.id, groupId]);
});

test('a server that stops while an answer waits leaves the update to the next one', async () => {
  const api = await startBotApi();
  const { server } = await startBot({ api, bot: { api } });
  api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  api.fail('sendMessage', flood(3600));
  api.updates.push({
    message: {
      message_id: 1,
      date: 0,
      chat: { id: groupId, type: 'supergroup', title: 'Otters' },
      from: ada,
      text: '/help',
      entities: [{ type: 'bot_command', offset: 0, length: 5 }],
    },
  });
  await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(1);

  await server.stopBot();
  expect(api.messages).toEqual([]);

  const { database } = server;
  const next = await createTestServer({
    bot: { api },
    database: { ...database, close: () => Promise.resolve() },
  });
  await next.handled();
  expect(api.messages).toMatchObject([{ to: groupId }]);
  await next.close();
});
