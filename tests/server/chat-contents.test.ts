/** Contents on the dashboard: saved, named by values, copied, uploaded, and removed when nothing names them. */
import * as v from 'valibot';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { readContentPayload, notePayload, rulesPayload } from '#contract/chats/bot-links';
import { type ContentBody } from '#contract/chats/contents';
import { listChanges, revertChange } from '#contract/endpoints/chat-changes';
import { maxMediaBytes, saveContent, uploadMedia } from '#contract/endpoints/chat-contents';
import { readValues } from '#contract/endpoints/chat-values';
import { type Database, openDatabase } from '#server/db/client';
import { sweep } from '#server/services/maintenance';
import { actingOnValues } from '#tests/chat-values';
import {
  chatId,
  friend,
  giveChats,
  manage,
  owner,
  type SignedIn,
  signIn,
  startDemoServer,
} from '#tests/chats';
import { startPostgres } from '#tests/postgres';
import { startBot } from '#tests/test-bot';
import { minute, openTestDatabase, type TestServer } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const dogs = -1005550000000;
const birds = -1005550000001;
const day = 24 * 60 * minute;

const toBody = (text: string): ContentBody => ({ text, entities: [], buttons: [] });

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  let server: TestServer;
  let me: SignedIn;
  let mine: ReturnType<typeof actingOnValues>;

  /** `owner` manages the cats and the birds, and `friend` manages the dogs. */
  beforeEach(async () => {
    server = await startDemoServer(await open());
    me = await signIn(server, owner);
    const other = await signIn(server, friend);
    await giveChats(server, me.telegramId, [
      { id: chatId, name: 'Cats' },
      { id: birds, name: 'Birds' },
    ]);
    await giveChats(server, other.telegramId, [{ id: dogs, name: 'Dogs' }]);
    mine = actingOnValues(server, me);
  });

  async function save(text: string, chat_id = chatId, person = me): Promise<string> {
    const reply = await server.call(saveContent, { chat_id, body: toBody(text) }, person);
    expect(reply.status).toBe(201);
    return v.parse(saveContent.output, reply.body).id;
  }

  const readContents = async () => {
    const { body } = await server.call(readValues, { chat_id: chatId }, me);
    return v.parse(readValues.output, body).contents;
  };

  /** Sweeps all day, as each chat has its time of the day. */
  async function sweepForADay() {
    for (let index = 0; index < 144; index += 1) {
      server.wait(10 * minute);
      await sweep(server.deps);
    }
  }

  test('a content is saved, named by a value, and read with the values', async () => {
    const id = await save('Be kind.');
    expect(await readContents()).toEqual({});
    await mine.change({ chat: { rules_content: id } });
    expect(await readContents()).toEqual({ [id]: toBody('Be kind.') });
  });

  test('a content of another chat is refused', async () => {
    const other = await signIn(server, friend);
    const foreign = await save('Dogs only', dogs, other);
    const reply = await mine.put({ chat: { rules_content: foreign } });
    expect(reply).toMatchObject({
      status: 422,
      body: { detail: 'This text is not stored for this chat. Please save it again.' },
    });
    // Also as a copy: the dogs are not mine.
    expect((await mine.put({ chat: { rules_content: foreign } }, { kind: 'copy' })).status).toBe(
      422,
    );
    expect(await server.call(saveContent, { chat_id: dogs, body: toBody('x') }, me)).toMatchObject({
      status: 403,
      body: { code: 'chat_not_verified' },
    });
  });

  test('a copy takes the contents of my other chat along, once', async () => {
    const rules = await save('No cats.', birds);
    const note = await save('The password is otter', birds);
    const copied = {
      chat: { rules_content: rules, 'note:wifi': { content: note, isPrivate: true } },
    };
    await mine.change(copied, { kind: 'copy' });
    expect(Object.values(await readContents())).toEqual(
      expect.arrayContaining([toBody('No cats.'), toBody('The password is otter')]),
    );
    expect(await readContents()).not.toHaveProperty(rules);
    expect((await mine.read())['chat']).toMatchObject({ 'note:wifi': { isPrivate: true } });

    expect(await mine.change(copied, { kind: 'copy' })).toBeNull();
    // Another kind of change copies nothing.
    expect((await mine.put({ chat: { goodbye_content: rules } })).status).toBe(422);
  });

  test('a content that nothing names goes after a day, and one of the history stays', async () => {
    const unnamed = await save('Draft');
    const [first, second] = [await save('First'), await save('Second')];
    await mine.change({ chat: { rules_content: first } });
    await mine.change({
      chat: { rules_content: second, 'note:wifi': { content: await save('Wifi') } },
    });
    const list = async () =>
      (await server.db.selectFrom('contents').select('id').execute()).map(({ id }) => id);

    await sweep(server.deps);
    expect(await list()).toHaveLength(4);
    server.wait(day);
    await sweepForADay();
    expect(await list()).toEqual(expect.arrayContaining([first, second]));
    expect(await list()).toHaveLength(3);
    expect(await list()).not.toContain(unnamed);

    // What the history names can be had back.
    const { body } = await server.call(listChanges, { chat_id: chatId }, me);
    const changes = v.parse(listChanges.output, body).changes;
    const latest = changes[0]?.change_id ?? '';
    await server.call(revertChange, { chat_id: chatId, change_id: latest, kind: 'undo' }, me);
    expect(await readContents()).toEqual({ [first]: toBody('First') });
  });

  test('what Telegram would not take is refused', async () => {
    const bodies: readonly object[] = [
      toBody(''),
      toBody('a'.repeat(4001)),
      { ...toBody('Hi'), entities: [{ type: 'bold', offset: 1, length: 2 }] },
      { ...toBody('Hi'), entities: [{ type: 'text_mention', offset: 0, length: 2 }] },
      { ...toBody('Hi'), buttons: [[{ label: 'Site', url: 'javascript:alert(1)' }]] },
      { ...toBody('Hi'), buttons: [[{ label: 'Both', url: 'https://a.example', to: 'rules' }]] },
      { ...toBody('Hi'), buttons: Array.from({ length: 21 }, () => [{ label: 'R', to: 'rules' }]) },
      {
        ...toBody('a'.repeat(1025)),
        media: { kind: 'photo', file_id: 'x', bot_id: 1 },
      },
    ];
    const statuses: number[] = [];
    for (const body of bodies) {
      const reply = await server.request(`/backend/chats/${chatId}/contents`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${me.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ body }),
      });
      statuses.push(reply.status);
    }
    expect(statuses).toEqual(bodies.map(() => 422));
    const twenty = Array.from({ length: 20 }, () => [{ label: 'R', to: 'rules' }]);
    const body = { ...toBody('Hi'), buttons: twenty };
    expect((await server.call(saveContent, { chat_id: chatId, body }, me)).status).toBe(201);
  });
});

describe('a file', () => {
  async function startUpload() {
    const bot = await startBot();
    const chat = bot.api.addChat({ id: chatId, title: 'Cats', creator: owner });
    const me = await signIn(bot.server, owner);
    await manage({ server: bot.server, bot: bot.api }, me, chat);
    const upload = (
      media_kind: 'photo' | 'document' | 'sticker',
      bytes: Uint8Array<ArrayBuffer>,
      more: { file_name?: string } = {},
    ) =>
      bot.server.call(
        uploadMedia,
        { chat_id: chatId, media_kind, file: new Blob([bytes]), ...more },
        me,
      );
    return { ...bot, me, upload };
  }

  const bytes = new Uint8Array([1, 2, 3]);

  test('goes through my own chat with the bot without a sound, and is deleted there', async () => {
    const { api, server, upload, me } = await startUpload();
    const reply = await upload('photo', bytes);
    expect(reply).toMatchObject({
      status: 200,
      body: { media: { kind: 'photo', file_id: expect.any(String), bot_id: api.bot.id } },
    });
    expect(api.callsTo('sendPhoto').at(-1)?.body).toMatchObject({
      chat_id: String(owner),
      disable_notification: 'true',
    });
    await server.services.deletions.deleteDue();
    expect(api.messages.slice(-1).map(api.show)).toEqual([undefined]);

    const { media } = v.parse(uploadMedia.output, reply.body);
    const body = { ...toBody('Look'), media };
    expect((await server.call(saveContent, { chat_id: chatId, body }, me)).status).toBe(201);
    await server.services.contents.send(chatId, body, { people: [] });
    expect(api.callsTo('sendPhoto').at(-1)?.body).toMatchObject({
      photo: media.file_id,
      caption: 'Look',
    });
  });

  test('keeps its name as a document', async () => {
    const { api, upload } = await startUpload();
    expect((await upload('document', bytes, { file_name: 'rules.pdf' })).status).toBe(200);
    expect(api.documents.at(-1)).toMatchObject({ name: 'rules.pdf', bytes: Buffer.from(bytes) });
  });

  test('is refused while the bot may not write to me', async () => {
    const { api, upload } = await startUpload();
    api.setReach(owner, 'blocked');
    expect(await upload('photo', bytes)).toMatchObject({
      status: 403,
      body: { code: 'bot_not_started' },
    });
  });

  test('is refused in the words of Telegram, which takes no large photo', async () => {
    const { upload } = await startUpload();
    expect(await upload('photo', new Uint8Array(10 * 1024 * 1024 + 1))).toMatchObject({
      status: 409,
      body: {
        code: 'telegram_refused',
        detail: expect.stringMatching(/^Telegram refuses this file: .*too big for a photo/),
      },
    });
    expect((await upload('document', new Uint8Array(10 * 1024 * 1024 + 1))).status).toBe(200);
  });

  test('is at most 20 MB', async () => {
    const { api, upload } = await startUpload();
    expect(await upload('document', new Uint8Array(maxMediaBytes + 1))).toMatchObject({
      status: 413,
      body: { detail: 'The file is too large. At most 20 MB are possible.' },
    });
    expect(api.callsTo('sendDocument')).toEqual([]);
  });

  test('of someone who does not manage the chat is refused, and one without a bot', async () => {
    const { server, api } = await startUpload();
    const stranger = await signIn(server, friend);
    const input = { chat_id: chatId, media_kind: 'photo', file: new Blob([bytes]) } as const;
    expect(await server.call(uploadMedia, input, stranger)).toMatchObject({
      status: 403,
      body: { code: 'chat_not_verified' },
    });
    expect(api.callsTo('sendPhoto')).toEqual([]);

    const demo = await startDemoServer();
    const me = await signIn(demo, owner);
    await giveChats(demo, owner, [{ id: chatId, name: 'Cats' }]);
    expect((await demo.call(uploadMedia, input, me)).status).toBe(503);
  });
});

describe('a link to a content', () => {
  const keys = [
    'wifi',
    'wi-fi_2',
    'ß',
    'правила',
    'ກ'.repeat(32),
    'ກ'.repeat(31) + 'ຂ',
    'a'.repeat(32),
  ];

  test.each(keys)('to the note %s has only what Telegram takes', (key) => {
    const payload = notePayload(-1_009_999_999_999, key);
    expect(payload).toMatch(/^[\w-]{1,64}$/);
    const read = readContentPayload(payload);
    expect(read).toMatchObject({ kind: 'note', chatId: -1_009_999_999_999 });
    expect(keys.filter((one) => read?.kind === 'note' && read.isKey(one))).toEqual([key]);
  });

  test('names its chat, and nothing else is one', () => {
    expect(readContentPayload(rulesPayload(chatId))).toEqual({ kind: 'rules', chatId });
    for (const payload of [
      'rules_5',
      'rules_',
      'rules_-1x',
      `rules_${chatId}_1`,
      'settings',
      'note_-5',
    ]) {
      const read = readContentPayload(payload);
      expect(read?.kind === 'note' ? keys.filter((key) => read.isKey(key)) : (read ?? [])).toEqual(
        [],
      );
    }
  });
});
