/** Reading and changing settings and topics. */
import { beforeEach, describe, expect, test } from 'vitest';

import { moreSettingNames, settingNames } from '#contract/chats/message-types';
import { addTopic, readChat, readTopic, setSetting } from '#contract/endpoints/chats';
import {
  chatId,
  chatIn,
  friend,
  manage,
  owner,
  settingsIn,
  type SignedIn,
  signIn,
  startWorld,
  valueIn,
} from '#tests/chats';
import { type TestServer } from '#tests/test-server';

const dogs = -1005550000000;

let server: TestServer;
let me: SignedIn;
let other: SignedIn;

/** `me` manages the cats, `other` the dogs. */
beforeEach(async () => {
  const world = await startWorld();
  server = world.server;
  const dogChat = world.bot.addChat({ id: dogs, title: 'Dog lovers', creator: friend });
  [me, other] = [await signIn(server, owner), await signIn(server, friend)];
  await manage(world, me, world.chat);
  await manage(world, other, dogChat);
});

const block = (setting_name: string, { value = true, topic_id = 0, chat_id = chatId } = {}) => ({
  chat_id,
  topic_id,
  setting_name,
  value,
});

/** Sends a body that a typed client could not send. */
const put = (body: unknown, path = `/backend/chats/${chatId}/topics/0/settings`) =>
  server.request(path, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${me.token}`, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('settings', () => {
  test('a blocked message type stays blocked, on another device too', async () => {
    const reply = await server.call(setSetting, block('photo_blocked'), me);

    const elsewhere = await signIn(server, owner);
    const { topics } = chatIn(await server.call(readChat, { chat_id: chatId }, elsewhere));
    expect(reply).toMatchObject({
      status: 200,
      body: { setting_name: 'photo_blocked', value: true },
    });
    const general = topics['0'] ?? {};
    expect(Object.entries(general).filter(([, isBlocked]) => isBlocked)).toEqual([
      ['photo_blocked', true],
    ]);
    expect(Object.keys(general)).toEqual(settingNames);
  });

  test('sending a change twice has the same result as once, and the answer has the stored value', async () => {
    const replies = [
      await server.call(setSetting, block('poll_blocked'), me),
      await server.call(setSetting, block('poll_blocked'), me),
      await server.call(setSetting, block('poll_blocked', { value: false }), me),
    ];

    expect(replies.map(valueIn)).toEqual([true, true, false]);
    const topic = await server.call(readTopic, { chat_id: chatId, topic_id: 0 }, me);
    expect(topic.body).toMatchObject({ topic_id: '0', settings: { poll_blocked: false } });
  });

  test('of parallel changes one is stored, and each answer has the value of its own change', async () => {
    const values = Array.from({ length: 20 }, (_, index) => index % 2 === 0);

    const replies = await Promise.all(
      values.map((value) => server.call(setSetting, block('video_blocked', { value }), me)),
    );

    expect(replies.map(valueIn)).toEqual(values);
    // The database decides which of them is last.
    await server.call(setSetting, block('video_blocked', { value: false }), me);
    expect(await server.db.selectFrom('topic_settings').selectAll().execute()).toMatchObject([
      { name: 'video_blocked', is_blocked: 0 },
    ]);
  });

  test('every one of the 27 settings can be set', async () => {
    const replies = await Promise.all(
      settingNames.map((name) => server.call(setSetting, block(name), me)),
    );

    expect(replies.map(({ status }) => status)).toEqual(Array(27).fill(200));
    const general = await server.call(readTopic, { chat_id: chatId, topic_id: 0 }, me);
    expect(Object.values(settingsIn(general))).toEqual(Array(27).fill(true));
  });

  test('a message type beyond the specification is listed only while it is blocked', async () => {
    const listed = async () => {
      const { topics } = chatIn(await server.call(readChat, { chat_id: chatId }, me));
      const topic = settingsIn(await server.call(readTopic, { chat_id: chatId, topic_id: 0 }, me));
      expect(topics['0']).toEqual(topic);
      return Object.keys(topic).filter((name) => !settingNames.includes(name));
    };
    expect(await listed()).toEqual([]);

    for (const name of moreSettingNames) {
      expect(await server.call(setSetting, block(name), me)).toMatchObject({ status: 200 });
    }
    expect(await listed()).toEqual(moreSettingNames);

    await server.call(setSetting, block('gift_blocked', { value: false }), me);
    expect(await listed()).toEqual(moreSettingNames.filter((name) => name !== 'gift_blocked'));
    const added = await server.call(addTopic, { chat_id: chatId, topic_id: 7 }, me);
    expect(Object.keys(settingsIn(added))).toEqual(settingNames);
  });

  test.each([
    'unicorn_blocked',
    'photo',
    'PHOTO_blocked',
    '__proto___blocked',
    '__proto__',
    'constructor',
    'photo_blocked; drop table chats',
    '',
  ])('the setting "%s" does not exist', async (setting_name) => {
    const reply = await put(block(setting_name));

    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'invalid_input', detail: 'There is no such setting' },
    });
  });

  test.each<[string, unknown]>([
    ['a text', 'true'],
    ['a number', 1],
    ['null', null],
    ['nothing', undefined],
  ])('%s is not a valid value of a setting', async (_name, value) => {
    const reply = await put({ ...block('photo_blocked'), value });

    expect(reply).toMatchObject({
      status: 422,
      body: { detail: 'A setting is either true (blocked) or false (allowed)' },
    });
  });

  test('an unknown field is refused', async () => {
    expect((await put({ ...block('photo_blocked'), is_admin: true })).status).toBe(422);
  });

  test('a body that targets the prototype of objects changes nothing', async () => {
    const body = JSON.stringify(block('photo_blocked')).replace(
      '{',
      '{"__proto__":{"value":false},',
    );

    expect(await put(body)).toMatchObject({ status: 200, body: { value: true } });
    expect(Object.prototype).not.toHaveProperty('value');
  });

  test.each([
    ['another chat', { chat_id: dogs }],
    ['another topic', { topic_id: 5 }],
  ])('a body that names %s than the address is refused', async (_name, elsewhere) => {
    const reply = await put({ ...block('photo_blocked'), ...elsewhere });

    expect(reply).toMatchObject({ status: 422, body: { code: 'invalid_input' } });
    expect(await server.db.selectFrom('topic_settings').selectAll().execute()).toEqual([]);
  });

  test('a repeated query parameter is refused', async () => {
    const reply = await server.request(`/backend/chats/${chatId}/topics?topic_id=1&topic_id=2`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${me.token}` },
    });

    expect(reply.status).toBe(422);
  });
});

describe('topics', () => {
  test('a new topic allows everything; adding it again keeps its settings', async () => {
    const added = await server.call(addTopic, { chat_id: chatId, topic_id: 12 }, me);
    await server.call(setSetting, block('sticker_blocked', { topic_id: 12 }), me);
    const again = await server.call(addTopic, { chat_id: chatId, topic_id: 12 }, me);

    expect(added).toMatchObject({ status: 201, body: { topic_id: '12' } });
    expect(Object.values(settingsIn(added))).toEqual(Array(27).fill(false));
    expect(again).toMatchObject({ status: 201, body: { settings: { sticker_blocked: true } } });
  });

  test('topics are separate from each other and from the same topic of another chat', async () => {
    await server.call(addTopic, { chat_id: chatId, topic_id: 12 }, me);
    await server.call(setSetting, block('sticker_blocked', { topic_id: 12 }), me);

    const [mine, theirs] = [
      await server.call(readChat, { chat_id: chatId }, me),
      await server.call(readChat, { chat_id: dogs }, other),
    ];
    expect(mine.body).toMatchObject({
      topics: { '0': { sticker_blocked: false }, '12': { sticker_blocked: true } },
    });
    expect(Object.keys(chatIn(theirs).topics)).toEqual(['0']);
  });

  test('a topic that was not added can neither be read nor set', async () => {
    const replies = [
      await server.call(readTopic, { chat_id: chatId, topic_id: 99 }, me),
      await server.call(setSetting, block('photo_blocked', { topic_id: 99 }), me),
    ];

    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 404, body: { code: 'topic_not_found' } });
    }
  });

  test.each(['__proto__', 'constructor', '-1', '1.5', '01', '99999999999'])(
    'the topic ID "%s" is refused and changes nothing',
    async (topicId) => {
      const path = `/backend/chats/${chatId}/topics/${topicId}`;
      const headers = { Authorization: `Bearer ${me.token}` };

      const replies = [
        await server.request(path, { headers }),
        await put({ setting_name: 'photo_blocked', value: true }, `${path}/settings`),
        await server.request(`/backend/chats/${chatId}/topics?topic_id=${topicId}`, {
          method: 'POST',
          headers,
        }),
      ];

      expect(replies.map(({ status }) => status)).toEqual([422, 422, 422]);
      expect(Object.prototype).not.toHaveProperty('photo_blocked');
    },
  );

  test('a chat has at most a thousand topics', async () => {
    const rows = Array.from({ length: 999 }, (_, index) => ({
      chat_id: chatId,
      topic_id: index + 1,
      created_at: 0,
    }));
    await server.db.insertInto('topics').values(rows).execute();

    const reply = await server.call(addTopic, { chat_id: chatId, topic_id: 5000 }, me);
    const known = await server.call(addTopic, { chat_id: chatId, topic_id: 5 }, me);

    expect(reply).toMatchObject({
      status: 422,
      body: { detail: 'A chat can have at most 1000 topics.' },
    });
    expect(known.status).toBe(201);
  });

  test('a chat with 500 topics is read completely, in one query for all of them', async () => {
    const ids = Array.from({ length: 499 }, (_, index) => index + 1);
    await server.db
      .insertInto('topics')
      .values(ids.map((topic_id) => ({ chat_id: chatId, topic_id, created_at: 0 })))
      .execute();
    await server.call(setSetting, block('photo_blocked', { topic_id: 321 }), me);

    const { topics } = chatIn(await server.call(readChat, { chat_id: chatId }, me));

    expect(Object.keys(topics)).toHaveLength(500);
    expect(topics['321']).toMatchObject({ photo_blocked: true });
    expect(topics['322']).toMatchObject({ photo_blocked: false });
  });
});
