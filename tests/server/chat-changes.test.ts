/** Changes of many settings at once: all or none, by managers of the chat only. */
import { beforeEach, describe, expect, test } from 'vitest';

import { moreSettingNames, settingNames } from '#contract/chats/message-types';
import { getPresetSettings } from '#contract/chats/presets';
import { changeSettings } from '#contract/endpoints/chat-changes';
import { readChat } from '#contract/endpoints/chats';
import {
  chatId,
  friend,
  owner,
  type SignedIn,
  signIn,
  startDemoServer,
  acting,
  giveChats,
} from '#tests/chats';
import { type Reply, type TestServer } from '#tests/test-server';

const dogs = -1005550000000;

let server: TestServer;
let me: SignedIn;

beforeEach(async () => {
  server = await startDemoServer();
  me = await signIn(server, owner);
  await signIn(server, friend);
  await giveChats(server, owner, [{ id: chatId, name: 'Cats', topics: [0, 7, 8] }]);
  await giveChats(server, friend, [{ id: dogs, name: 'Dogs' }]);
});

/** Sends a body that a typed client could not send. */
const put = (body: unknown): Promise<Reply> =>
  server.request(`/backend/chats/${chatId}/settings`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${me.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

const bulk = (topics: Record<string, Record<string, boolean>>) => ({
  chat_id: chatId,
  kind: 'bulk' as const,
  topics,
});

test('a change whose caller is gone is not made: a repeated call may have been answered by another server', async () => {
  const { blocked } = acting(server, me);
  const body = JSON.stringify(bulk({ '0': { photo_blocked: true } }));
  const send = (signal?: AbortSignal) =>
    server.request(`/backend/chats/${chatId}/settings`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${me.token}`, 'Content-Type': 'application/json' },
      body,
      ...(signal === undefined ? {} : { signal }),
    });

  expect((await send(AbortSignal.abort())).status).toBe(503);
  expect(await blocked()).toEqual({ '0': [], '7': [], '8': [] });

  expect((await send()).status).toBe(200);
});

test('settings of several topics change together, and the others stay', async () => {
  const { change, toggle, blocked } = acting(server, me);
  await toggle('dice_blocked', true);

  const made = await change({
    '0': { photo_blocked: true, url_blocked: false },
    '7': { poll_blocked: true, photo_blocked: true },
  });

  expect(await blocked()).toEqual({
    '0': ['photo_blocked', 'dice_blocked'],
    '7': ['photo_blocked', 'poll_blocked'],
    '8': [],
  });
  expect(made).toMatchObject({
    kind: 'bulk',
    preset: null,
    changed_by: { telegram_id: String(owner), name: '' },
    items: [
      { topic_id: '0', setting_name: 'photo_blocked', was: false, becomes: true },
      { topic_id: '7', setting_name: 'photo_blocked', was: false, becomes: true },
      { topic_id: '7', setting_name: 'poll_blocked', was: false, becomes: true },
    ],
  });
});

test('a setting that has the value already is no change and is not in the history', async () => {
  const { change, history } = acting(server, me);
  await change({ '0': { photo_blocked: true } });

  const again = await change({ '0': { photo_blocked: true }, '7': { url_blocked: false } });

  expect(again).toBeNull();
  expect((await history()).changes).toHaveLength(1);
});

test('a preset is recorded by its name, with all of its types', async () => {
  const topics = { '7': getPresetSettings('text_only') };
  const input = { chat_id: chatId, kind: 'preset' as const, preset: 'text_only' as const, topics };

  const reply = await server.call(changeSettings, input, me);

  expect(reply).toMatchObject({
    status: 200,
    body: { change: { kind: 'preset', preset: 'text_only' } },
  });
  expect((await acting(server, me).blocked())['7']).toHaveLength(27 - 6);
});

test.each([
  ['a client that knows more message types than the specification', true, 27 + 6 - 9],
  ['a client of the specification', false, 27 - 6],
])('a preset of %s is recorded by its name', async (_client, withMore, count) => {
  const topics = { '7': getPresetSettings('text_only', { withMore }) };
  const input = { chat_id: chatId, kind: 'preset' as const, preset: 'text_only' as const, topics };

  const reply = await server.call(changeSettings, input, me);

  expect(reply).toMatchObject({ status: 200, body: { change: { preset: 'text_only' } } });
  expect((await acting(server, me).blocked())['7']).toHaveLength(count);
});

test('a preset leaves the settings of service messages as they are', async () => {
  const { change, blocked } = acting(server, me);
  await change({ '7': { new_member_blocked: true } });
  const topics = { '7': getPresetSettings('photos_and_text', { withMore: true }) };

  const input = { chat_id: chatId, kind: 'preset' as const, topics };
  await server.call(changeSettings, { ...input, preset: 'photos_and_text' as const }, me);

  expect((await blocked())['7']).toContain('new_member_blocked');
});

describe('all or nothing', () => {
  test.each([
    ['one topic that is not there', ['99'], 'This chat has no topic 99.'],
    ['several', ['98', '99'], 'This chat does not have 2 of these topics, among them 98.'],
  ])('with %s, none of the others changes', async (_case, missing, detail) => {
    const topics = Object.fromEntries(
      ['0', '7', ...missing].map((id) => [id, { photo_blocked: true }]),
    );

    const reply = await server.call(changeSettings, bulk(topics), me);

    expect(reply).toMatchObject({ status: 404, body: { code: 'topic_not_found', detail } });
    expect(await acting(server, me).blocked()).toEqual({ '0': [], '7': [], '8': [] });
    expect((await acting(server, me).history()).changes).toEqual([]);
  });

  test('with a setting that does not exist, none of the others changes', async () => {
    const reply = await server.call(
      changeSettings,
      bulk({ '0': { photo_blocked: true, unicorn_blocked: true } }),
      me,
    );

    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', detail: 'There is no such setting' },
    });
    expect((await acting(server, me).blocked())['0']).toEqual([]);
  });

  test('when the history cannot be written, nothing is changed or published', async () => {
    const told: unknown[] = [];
    server.services.chatEvents.followAll((event) => told.push(event));
    await server.db.schema.dropTable('setting_change_items').execute();

    const reply = await server.call(changeSettings, bulk({ '0': { photo_blocked: true } }), me);

    expect(reply).toMatchObject({ status: 500, body: { code: 'unexpected' } });
    expect((await acting(server, me).blocked())['0']).toEqual([]);
    expect(told).toEqual([]);
  });
});

test.each([
  ['nothing to change', { kind: 'bulk', topics: {} }],
  ['a topic without settings', { kind: 'bulk', topics: { '0': {} } }],
  ['a kind that only the server gives', { kind: 'undo', topics: { '0': { photo_blocked: true } } }],
  ['a text for a value', { kind: 'bulk', topics: { '0': { photo_blocked: 'true' } } }],
  ['a topic that is no number', { kind: 'bulk', topics: { general: { photo_blocked: true } } }],
  ['a name that is no setting', { kind: 'bulk', topics: { '0': { 'x; drop table': true } } }],
  [
    'an unknown preset',
    { kind: 'preset', preset: 'party', topics: { '0': { url_blocked: true } } },
  ],
  ['a preset without its name', { kind: 'preset', topics: { '0': { url_blocked: true } } }],
  [
    'a name of a preset for something else',
    { kind: 'copy', preset: 'text_only', topics: { '0': { photo_blocked: true } } },
  ],
  [
    'a preset that is not what it is called',
    { kind: 'preset', preset: 'text_only', topics: { '0': { text_blocked: true } } },
  ],
  ['a field too many', { kind: 'bulk', topics: { '0': { url_blocked: true } }, by: 1 }],
  [
    'another chat in the body',
    { chat_id: dogs, kind: 'bulk', topics: { '0': { url_blocked: true } } },
  ],
])('%s is refused and changes nothing', async (_case, body) => {
  const reply = await put(body);

  expect(reply).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
  expect(await acting(server, me).blocked()).toEqual({ '0': [], '7': [], '8': [] });
});

test('a body that targets the prototype of objects changes nothing', async () => {
  const reply = await server.request(`/backend/chats/${chatId}/settings`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${me.token}`, 'Content-Type': 'application/json' },
    body: '{"kind":"bulk","topics":{"__proto__":{"photo_blocked":true},"0":{"__proto__":true,"poll_blocked":true}}}',
  });

  expect(reply).toMatchObject({ status: 200, body: { change: { items: [{ topic_id: '0' }] } } });
  expect(Object.prototype).not.toHaveProperty('photo_blocked');
});

const allSettings = Object.fromEntries(
  [...settingNames, ...moreSettingNames].map((name) => [name, true]),
);

test('more than 500 topics of settings are too many for one change', async () => {
  const settings = allSettings;
  const topics = Object.fromEntries(Array.from({ length: 501 }, (_, id) => [id, settings]));

  expect(await put({ kind: 'bulk', topics })).toMatchObject({
    status: 422,
    body: { detail: 'A change names between 1 and 22500 settings' },
  });
  expect(await put({ kind: 'bulk', topics, padding: 'x'.repeat(768 * 1024) })).toMatchObject({
    status: 413,
  });
});

test('all settings of 500 topics change in one request and are reverted in one', async () => {
  const ids = Array.from({ length: 500 }, (_, index) => index + 100);
  await server.db
    .insertInto('topics')
    .values(ids.map((topic_id) => ({ chat_id: chatId, topic_id, created_at: 0 })))
    .execute();
  const settings = allSettings;
  const { change, revert, blocked, history } = acting(server, me);

  const made = await change(Object.fromEntries(ids.map((id) => [id, settings])));
  expect(made?.items).toHaveLength(22_500);
  expect((await blocked())['599']).toEqual(Object.keys(allSettings));

  const { change: back, skipped } = await revert(made?.change_id ?? '');
  expect(back?.items).toHaveLength(22_500);
  expect(skipped).toBe(0);
  expect((await blocked())['599']).toEqual([]);
  // One such change fills a page of the history.
  const first = await history();
  expect(first).toMatchObject({ changes: [{ change_id: back?.change_id }], has_more: true });
  expect(await history(back?.change_id)).toMatchObject({
    changes: [{ change_id: made?.change_id }],
    has_more: false,
  });
});

test('a user who makes very many large changes has to wait', async () => {
  const { change } = acting(server, me);
  for (let times = 0; times < 300; times += 1) {
    await change({ '0': { photo_blocked: true } });
  }

  const reply = await server.call(changeSettings, bulk({ '0': { photo_blocked: false } }), me);

  expect(reply).toMatchObject({
    status: 429,
    body: {
      code: 'rate_limited',
      detail: 'Too many settings were changed at once. Please try again in 60 minutes.',
    },
  });
  server.wait(60 * 60_000);
  expect(await change({ '0': { photo_blocked: false } })).not.toBeNull();
});

test('the chat of another user, an unknown chat and an ended session are refused', async () => {
  const refusals = await Promise.all(
    [dogs, -1009999999999].map((chat_id) =>
      server.call(changeSettings, { ...bulk({ '0': { photo_blocked: true } }), chat_id }, me),
    ),
  );

  for (const reply of refusals) {
    expect(reply).toMatchObject({ status: 403, body: { code: 'chat_not_verified' } });
  }
  const dogLover = await signIn(server, friend);
  expect((await server.call(readChat, { chat_id: dogs }, dogLover)).body).toMatchObject({
    topics: { '0': { photo_blocked: false } },
  });
  const guest = await server.call(changeSettings, bulk({ '0': { photo_blocked: true } }));
  expect(guest.status).toBe(401);
});
