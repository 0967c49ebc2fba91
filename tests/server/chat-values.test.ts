/** The values of a chat: what each may be, by managers of the chat only, on both databases. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { offName, switchableCommands } from '#contract/chats/values';
import { readValues } from '#contract/endpoints/chat-values';
import { wholeChatId } from '#server/db/chat-values';
import { type Database, openDatabase } from '#server/db/client';
import { actingOnValues } from '#tests/chat-values';
import {
  acting,
  chatId,
  friend,
  giveChats,
  owner,
  type SignedIn,
  signIn,
  startDemoServer,
} from '#tests/chats';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase, type TestServer } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const dogs = -1005550000000;
const day = 86_400;

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let server: TestServer;
  let me: SignedIn;
  let mine: ReturnType<typeof actingOnValues>;
  let settings: ReturnType<typeof acting>;

  /** `owner` manages the cats, and `friend` manages the dogs. */
  beforeEach(async () => {
    server = await startDemoServer(await open());
    me = await signIn(server, owner);
    await signIn(server, friend);
    await giveChats(server, owner, [{ id: chatId, name: 'Cats', topics: [0, 7] }]);
    await giveChats(server, friend, [{ id: dogs, name: 'Dogs' }]);
    [mine, settings] = [actingOnValues(server, me), acting(server, me)];
  });

  test('values are set together, read again and removed; the others stay', async () => {
    await mine.change({ chat: { warn_limit: 5, reports: false } });

    const change = await mine.change({
      chat: { warn_limit: null, trust_anonymous: true },
      '7': { 'off:report': true },
      '0': { 'off:status': true },
    });

    expect(await mine.read()).toEqual({
      chat: { reports: false, trust_anonymous: true },
      '0': { 'off:status': true },
      '7': { 'off:report': true },
    });
    expect(change).toMatchObject({
      kind: 'values',
      preset: null,
      changed_by: { telegram_id: String(owner) },
      items: [],
      language: null,
      values: [
        { place: 'chat', name: 'trust_anonymous', was: null, becomes: true },
        { place: 'chat', name: 'warn_limit', was: 5, becomes: null },
        { place: '0', name: 'off:status', was: null, becomes: true },
        { place: '7', name: 'off:report', was: null, becomes: true },
      ],
    });
  });

  test.each([
    ['warn_limit', [1, 20], [0, 21, 2.5, '3']],
    [
      'warn_action',
      [
        { kind: 'mute', seconds: 30 },
        { kind: 'mute' },
        { kind: 'ban', seconds: 366 * day },
        { kind: 'kick' },
      ],
      [
        { kind: 'mute', seconds: 29 },
        { kind: 'ban', seconds: 366 * day + 1 },
        { kind: 'kick', seconds: 60 },
        { kind: 'kill' },
        'ban',
      ],
    ],
    ['warn_expiry', ['off', day, 365 * day], ['on', day - 1, 365 * day + 1]],
    ['reports', [true, false], ['yes', 1]],
    ['trust_anonymous', [true], [0]],
    ['quiet_actions', [true], ['']],
    ['shared_bans', [true, false], [1]],
    ['captcha_mode', ['button', 'task', 'gate', 'off'], ['sum', true]],
    ['captcha_seconds', [60, day], [59, day + 1, 90.5]],
    ['captcha_over', ['mute', 'kick'], ['ban']],
    ['raid_seconds', [900, 7 * day], [899, 7 * day + 1]],
    ['raid_auto', [3, 100, 'off'], [2, 101, 'on']],
    ['welcome', [true], ['on']],
    ['welcome_to', ['newcomer', 'everyone'], ['administrators']],
    ['welcome_keep', [60, day, 'off'], [59, day + 1]],
    ['goodbye', [true], [0]],
    ['clean_service', [['join', 'video_chat'], []], [['join', 'join'], ['all']]],
    ['rules_public', [true], ['yes']],
    [
      'blocklist_action',
      [{ kind: 'warn' }, { kind: 'mute', seconds: 30 }, { kind: 'ban' }, { kind: 'delete' }],
      [{ kind: 'kick' }, { kind: 'warn', seconds: 60 }],
    ],
    [
      'flood',
      [{ count: 3 }, { count: 50, seconds: 600 }, 'off'],
      [{ count: 2 }, { count: 51 }, { count: 8, seconds: 0 }, { count: 8, seconds: 601 }],
    ],
    ['flood_action', [{ kind: 'kick' }], [{ kind: 'delete' }]],
    ['reaction_limit', [3, 100, 'off'], [2, 101]],
    ['reactions_unwanted', [['💩'], []], [['💩', '💩'], [''], '💩']],
    ['reactions_of_banned', [false], [0]],
    ['note:wifi', [], [{ content: 'short' }, { isPrivate: true }, true]],
    ['block:casino*', [{}, { action: { kind: 'warn' } }], [{ action: 'warn' }, true]],
    ['allow:example.com', [true], [false]],
    ['log_categories', [[], ['members', 'reports']], [['members', 'members'], ['all'], 'members']],
    [offName('report'), [true], [false, 1]],
  ])('%s has its limits', async (name, possible, impossible) => {
    for (const value of possible) {
      expect(await mine.put({ chat: { [name]: value } })).toMatchObject({ status: 200 });
      expect((await mine.read())['chat']?.[name]).toEqual(value);
    }
    const [last] = possible.slice(-1);
    for (const value of impossible) {
      expect(await mine.put({ chat: { [name]: value } })).toMatchObject({
        status: 422,
        body: { code: 'invalid_input' },
      });
    }
    expect((await mine.read())['chat']?.[name]).toEqual(last);
  });

  test('newcomers are kept out for a week at most, whatever the clock of the device says', async () => {
    const now = server.now();
    const week = 7 * day * 1000;
    const attack = (until: number) => ({ attack: { since: now, until } });
    for (const values of [{ raid_until: now + week }, attack(now + week)]) {
      expect(await mine.put({ chat: values })).toMatchObject({ status: 200 });
    }
    const stored = await mine.read();
    for (const values of [{ raid_until: now + 2 * week }, attack(now + 2 * week)]) {
      expect(await mine.put({ chat: values })).toMatchObject({
        status: 422,
        body: { code: 'invalid_input' },
      });
    }
    expect(await mine.read()).toEqual(stored);
  });

  test.each([
    ['a value of the whole chat in a topic', { '7': { warn_limit: 3 } }],
    ['a value that does not exist', { chat: { warn_limits: 3 } }],
    ['a name that objects have anyway', { chat: { constructor: 1 } }],
    ['a command that administrators need', { chat: { 'off:ban': true } }],
    ['a place that is none', { everywhere: { reports: true } }],
    ['a greeting in a topic', { '7': { welcome: true } }],
    ['a note in a topic', { '7': { 'note:wifi': { content: 'a'.repeat(22) } } }],
    ['a note whose name has capitals', { chat: { 'note:WiFi': { content: 'a'.repeat(22) } } }],
    ['a note with a text of no chat', { chat: { 'note:wifi': { content: 'a'.repeat(22) } } }],
    ['rules with a text of no chat', { chat: { rules_content: 'a'.repeat(22) } }],
    ['an entry of 65 characters', { chat: { [`block:${'a'.repeat(65)}`]: {} } }],
    ['a topic below zero', { '-1': { 'off:report': true } }],
    ['nothing at all', {}],
  ])('%s is refused, and nothing changes', async (_case, values) => {
    expect(await mine.put(values)).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    expect(await mine.read()).toEqual({});
  });

  test('one impossible value keeps the others from being set', async () => {
    await mine.put({ chat: { reports: false, warn_limit: 99 } });

    expect(await mine.read()).toEqual({});
  });

  test('a topic that the chat does not have is not found, and none of the values is set', async () => {
    const reply = await mine.put({ chat: { reports: false }, '9': { 'off:report': true } });

    expect(reply).toMatchObject({ status: 404, body: { code: 'topic_not_found' } });
    expect(await mine.read()).toEqual({});
  });

  test('what is stored already is no change, whatever the order of its parts', async () => {
    await mine.change({ chat: { warn_action: { kind: 'mute', seconds: 60 } } });

    expect(
      await mine.change({ chat: { warn_action: { seconds: 60, kind: 'mute' }, reports: null } }),
    ).toBeNull();
    expect((await settings.history()).changes).toHaveLength(1);
  });

  test('a preset and a copy are recorded as what they are', async () => {
    const strict = { warn_limit: 2, warn_action: { kind: 'ban' }, warn_expiry: 90 * day };

    const preset = await mine.change({ chat: strict }, { kind: 'preset', preset: 'strict' });
    const copy = await mine.change({ chat: { reports: false } }, { kind: 'copy' });

    expect(preset).toMatchObject({ kind: 'preset', preset: 'strict' });
    expect(preset?.values).toHaveLength(3);
    expect(copy).toMatchObject({ kind: 'copy', preset: null });
    expect((await settings.history()).changes).toMatchObject([
      { kind: 'copy', values: [{ name: 'reports', was: null, becomes: false }] },
      { kind: 'preset', preset: 'strict' },
    ]);
  });

  test.each([
    ['another value', { chat: { warn_limit: 3 } }, { kind: 'preset', preset: 'strict' }],
    ['a value of no preset', { chat: { reports: true } }, { kind: 'preset', preset: 'strict' }],
    ['a topic', { '7': { 'off:report': true } }, { kind: 'preset', preset: 'strict' }],
    ['no name', { chat: { warn_limit: 2 } }, { kind: 'preset' }],
    ['another kind', { chat: { warn_limit: 2 } }, { kind: 'values', preset: 'strict' }],
    ['an unknown preset', { chat: { warn_limit: 2 } }, { kind: 'preset', preset: 'mild' }],
    ['an unknown kind', { chat: { warn_limit: 2 } }, { kind: 'toggle' }],
  ])('a preset with %s is refused', async (_case, values, facts) => {
    expect(await mine.put(values, facts)).toMatchObject({
      status: 422,
      body: { code: 'invalid_input' },
    });
    expect(await mine.read()).toEqual({});
  });

  test('a channel for the log cannot be set here, only removed, as it may be of others', async () => {
    const { chatValues } = server.services;
    const log_channel = { id: -1001, title: 'Log' };
    const set = { chatId, chatName: undefined, by: owner, kind: 'values' as const };

    expect(await mine.put({ chat: { log_channel } })).toMatchObject({
      status: 422,
      body: { detail: 'The log channel is picked from the list of channels in Telegram.' },
    });
    expect(await mine.read()).toEqual({});

    await chatValues.changeByCommand(set, new Map([[wholeChatId, { log_channel }]]));
    expect(await mine.read()).toEqual({ chat: { log_channel } });
    expect(await mine.put({ chat: { log_channel: { ...log_channel, id: -1002 } } })).toMatchObject({
      status: 422,
    });
    await mine.change({ chat: { log_channel: null } });
    expect(await mine.read()).toEqual({});
  });

  test('a user who does not manage the chat can neither read nor change its values', async () => {
    const other = await signIn(server, friend);
    await mine.change({ chat: { reports: false } });

    expect(await server.call(readValues, { chat_id: chatId }, other)).toMatchObject({
      status: 404,
      body: { code: 'chat_not_found' },
    });
    expect(await actingOnValues(server, other).put({ chat: { reports: true } })).toMatchObject({
      status: 403,
      body: { code: 'chat_not_verified' },
    });
    expect(await mine.read()).toEqual({ chat: { reports: false } });
  });

  test('a chat has at most 2,000 values; with fewer there is room again', async () => {
    const names = switchableCommands.map(offName);
    const topics = Math.ceil(2000 / names.length);
    await server.db
      .insertInto('topics')
      .values(
        Array.from({ length: topics }, (_, index) => ({
          chat_id: chatId,
          topic_id: 100 + index,
          created_at: 1,
        })),
      )
      .execute();
    const all = Array.from({ length: topics }, (_, index) =>
      names.map((name) => [String(100 + index), name] as const),
    ).flat();
    const toValues = (some: typeof all, value: true | null) =>
      Object.fromEntries(
        [...Map.groupBy(some, ([place]) => place)].map(([place, entries]) => [
          place,
          Object.fromEntries(entries.map(([, name]) => [name, value])),
        ]),
      );
    await mine.change(toValues(all.slice(0, 2000), true));

    const refused = await mine.put({ chat: { reports: false } });
    await mine.change(toValues(all.slice(0, 1), null));
    const accepted = await mine.put({ chat: { reports: false } });

    expect(refused).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_input',
        detail:
          'A chat can have at most 2000 values besides its locks. Switch some commands on again first.',
      },
    });
    expect(accepted.status).toBe(200);
  });

  test('too many changes are refused for a while', async () => {
    await Promise.all(
      Array.from({ length: 300 }, () =>
        server.services.limiter.take(
          { name: 'setting-changes', max: 300, windowMs: 3_600_000, text: 'settings' },
          owner,
        ),
      ),
    );

    expect(await mine.put({ chat: { reports: false } })).toMatchObject({ status: 429 });
  });
});
