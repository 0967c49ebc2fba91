/** Pictures of a history that are sent to a chat: once each, whenever the server is killed, and what becomes of those that cannot be. */
import sharp from 'sharp';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { generate } from '#contract/endpoints/images';
import { type Database, openDatabase } from '#server/db/client';
import { detectPictureType } from '#server/lib/picture-type';
import { startBotApi } from '#tests/bot-api-server';
import { signIn } from '#tests/chats';
import { createHandEngine } from '#tests/image-engines';
import { getPending } from '#tests/image-services';
import { startPostgres } from '#tests/postgres';
import { createMemoryStore, createTestServer, openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, () => Promise<Database>> = {
  SQLite: async () => openDatabase({}),
  ...(postgres ? { PostgreSQL: () => openTestDatabase(postgres.url) } : {}),
};

const ada = 42;

/** Servers one after the other, and Ada's history with a picture. */
async function startHistory(open: () => Promise<Database>) {
  const api = await startBotApi();
  onTestFinished(api.close);
  const database = await open();
  onTestFinished(() => database.close());
  const objects = createMemoryStore();
  const options = {
    bot: { api },
    database: { ...database, close: () => Promise.resolve() },
    objects,
    variables: { BOT_MODE: 'off' },
  };
  const start = async () => {
    const next = await createTestServer(options);
    onTestFinished(next.close);
    return next;
  };
  const server = await start();
  const me = await signIn(server, ada);
  await server.call(generate, { ...getPending(), prompt: 'a fox' }, me);
  const [generation] = await server.services.generations.list(ada);
  const sent = {
    id: 'first',
    telegramId: ada,
    chatId: ada,
    generationId: generation?.id ?? '',
    as: 'both',
    keepsRecipe: true,
  } as const;
  const shown = () => api.messages.flatMap((message) => api.show(message) ?? []);
  return { api, server, objects, start, sent, shown };
}

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  test('a picture comes as a photo with what can be done with it, and as the file that it is', async () => {
    const { server, sent, shown } = await startHistory(open);

    await server.services.telegramPictures.deliver(sent);
    await server.services.dueJobs.runDue();

    const [photo, file] = shown();
    expect(photo).toMatchObject({
      text: 'a fox\n2:3 · seed 1234567890 · a sketch, made offline and without AI',
      buttons: [['Again', 'Remix'], ['Open in Nori'], ['Share']],
      media: { kind: 'photo', hasSpoiler: false, file: { name: expect.stringMatching(/\.jpg$/) } },
    });
    expect(detectPictureType(photo?.media?.file?.bytes ?? Buffer.alloc(0))).toBe('image/jpeg');
    expect(file).toMatchObject({
      text: '',
      media: { kind: 'document', file: { name: expect.stringMatching(/^nori-.*\.webp$/) } },
    });
    const original = await server.services.telegramPictures.find({
      generationId: sent.generationId,
    });
    expect(file?.media?.file?.bytes.equals((await original?.read(0)) ?? Buffer.alloc(0))).toBe(
      true,
    );
    expect(shown()).toHaveLength(2);
  });

  test('what was sent is not sent again, but another time by another ID', async () => {
    const { server, sent, shown } = await startHistory(open);
    const { telegramPictures, dueJobs } = server.services;
    await telegramPictures.deliver({ ...sent, as: 'photo' });
    await telegramPictures.deliver({ ...sent, as: 'photo' });
    await dueJobs.runDue();
    await telegramPictures.deliver({ ...sent, as: 'photo' });
    await dueJobs.runDue();
    expect(shown()).toHaveLength(1);

    await telegramPictures.deliver({ ...sent, as: 'photo', id: 'second' });
    await dueJobs.runDue();

    expect(shown()).toHaveLength(2);
  });

  test.each([
    ['before Telegram has heard of the message', 'sendMessage', 'hang'],
    ['after Telegram has taken the message', 'sendMessage', 'taken'],
    ['before Telegram has heard of the picture', 'editMessageMedia', 'hang'],
    ['after Telegram has taken the picture', 'editMessageMedia', 'taken'],
  ] as const)('is seen once although the server is killed %s', async (_when, method, how) => {
    const { api, server, start, sent, shown } = await startHistory(open);
    if (how === 'hang') {
      api.fail(method, 'hang');
    } else {
      api.hold(method, new Promise(() => undefined));
    }
    await server.services.telegramPictures.deliver({ ...sent, as: 'photo' });
    void server.services.dueJobs.runDue();
    await expect.poll(() => api.callsTo(method)).toHaveLength(1);

    const next = await start();
    await next.db.updateTable('due_jobs').set({ held_until: 0 }).execute();
    await next.services.dueJobs.runDue();
    await next.services.dueJobs.runDue();

    expect(shown().filter(({ media }) => media !== undefined)).toHaveLength(1);
    expect(await next.services.dueJobs.find(`picture:${ada}:first`)).toBeUndefined();
  });
});

const onSqlite = () => startHistory(async () => openDatabase({}));

test('a file without the recipe is the same picture and says nothing of what it was made from', async () => {
  const { server, sent, shown } = await onSqlite();

  await server.services.telegramPictures.deliver({ ...sent, as: 'file', keepsRecipe: false });
  await server.services.dueJobs.runDue();

  const bytes = shown()[0]?.media?.file?.bytes ?? Buffer.alloc(0);
  const { exif, xmp, format } = await sharp(bytes).metadata();
  expect({ exif, xmp, format }).toEqual({ exif: undefined, xmp: undefined, format: 'webp' });
  const made = (await server.services.generations.findById(sent.generationId))?.pictureIds[0] ?? '';
  const original = (await server.services.pictures.read(made, 'original'))?.bytes;
  const pixels = await sharp(bytes).raw().toBuffer();
  expect(pixels.equals(await sharp(original).raw().toBuffer())).toBe(true);
});

test('a picture of another user is not sent, nor one that was deleted', async () => {
  const { server, sent, shown } = await onSqlite();
  const { telegramPictures, generations, dueJobs } = server.services;
  await expect(telegramPictures.deliver({ ...sent, telegramId: 43 })).rejects.toMatchObject({
    code: 'generation_not_found',
  });

  await telegramPictures.deliver(sent);
  await generations.moveToBin(ada, sent.generationId);
  await dueJobs.runDue();

  expect(shown().map(({ text }) => text)).toEqual(['This picture is not there any more.']);
});

test('who has blocked the bot is sent nothing, and the job ends', async () => {
  const { api, server, sent, shown } = await onSqlite();
  api.setReach(ada, 'blocked');

  await server.services.telegramPictures.deliver(sent);
  await server.services.dueJobs.runDue();

  expect(shown()).toEqual([]);
  expect(await server.services.dueJobs.find(`picture:${ada}:first`)).toBeUndefined();
});

test('what Telegram does not take now is sent a minute later', async () => {
  const { api, server, sent, shown } = await onSqlite();
  api.fail('editMessageMedia', { error_code: 500, description: 'Internal Server Error' });

  await server.services.telegramPictures.deliver({ ...sent, as: 'photo' });
  await server.services.dueJobs.runDue();
  expect(shown()).toMatchObject([{ text: 'Ready: a fox' }]);
  server.wait(60_000);
  await server.services.dueJobs.runDue();

  expect(shown()).toMatchObject([{ media: { kind: 'photo' } }]);
});

test.each(['photo', 'both'] as const)(
  'what Telegram does not take as a photo comes as a file, once: %s',
  async (as) => {
    const { api, server, sent, shown } = await onSqlite();
    api.fail('editMessageMedia', {
      error_code: 400,
      description: 'Bad Request: PHOTO_INVALID_DIMENSIONS',
    });

    await server.services.telegramPictures.deliver({ ...sent, as });
    await server.services.dueJobs.runDue();

    expect(shown()).toMatchObject([{ media: { kind: 'document' } }]);
  },
);

test('where what the bot writes is deleted at once, it writes twice and no more', async () => {
  const { api, server, sent } = await onSqlite();
  const description = 'Bad Request: message to edit not found';
  api.fail('editMessageMedia', { error_code: 400, description }, 10);

  await server.services.telegramPictures.deliver({ ...sent, as: 'photo' });
  await server.services.dueJobs.runDue();

  expect(api.callsTo('sendMessage')).toHaveLength(2);
  expect(await server.services.dueJobs.find(`picture:${ada}:first`)).toBeUndefined();
});

test('of many pictures a few at a time are in memory, while Telegram takes them slowly', async () => {
  const { api, server, objects, sent } = await onSqlite();
  const groups = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => -100 - number);
  groups.forEach((id) => api.addChat({ id, title: 'Otters', members: [ada] }));
  api.fail('editMessageMedia', 'hang', groups.length);
  const read = vi.spyOn(objects, 'read');

  for (const chatId of groups) {
    await server.services.telegramPictures.deliver({
      ...sent,
      id: `to ${chatId}`,
      chatId,
      as: 'photo',
    });
  }
  void server.services.dueJobs.runDue();
  await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(groups.length);
  await expect.poll(() => api.callsTo('editMessageMedia').length).toBeGreaterThan(3);

  expect(read.mock.calls).toHaveLength(4);
});

test('what is made again of a picture has the steps that it had', async () => {
  const hand = createHandEngine({ steps: { min: 1, max: 50, default: 20 } });
  const server = await createTestServer({ engines: { pixai: hand.engine } });
  onTestFinished(server.close);
  const me = await signIn(server, ada);
  const made = server.call(generate, { ...getPending(), steps: 12 }, me);
  await expect.poll(hand.waiting).toBe(1);
  hand.finish();
  await made;
  const [generation] = await server.services.generations.list(ada);
  const { find, toRequestAgain } = server.services.telegramPictures;

  const found = await find({ generationId: generation?.id ?? '' });

  expect(found && toRequestAgain(found)?.recipe).toMatchObject({ steps: 12, seed: '' });
});

test('a command that is handled again joins the picture that it has begun, whatever it would choose now', async () => {
  const { server } = await onSqlite();
  const { telegramPictures, dueJobs, generations } = server.services;
  const { provider, recipe } = await telegramPictures.toRequest({ prompt: 'a hare' });
  const asked = { key: '7', chatId: ada, telegramId: ada, topicId: undefined, replyTo: undefined };
  await telegramPictures.start({ ...asked, provider, recipe });
  // The server was killed before this was stored.
  await dueJobs.take(`picture:${ada}:${ada}`);

  await telegramPictures.start({ ...asked, provider, recipe: { ...recipe, modelId: 'newer' } });

  expect(await dueJobs.find(`picture:${ada}:${ada}`)).toBeDefined();
  await expect.poll(async () => (await generations.list(ada)).length).toBe(2);
});

test('a message that somebody deletes before it is the picture is replaced, and one that was the picture is not', async () => {
  const { api, server, start, sent, shown } = await onSqlite();
  const { telegramPictures, dueJobs } = server.services;
  api.fail('editMessageMedia', {
    error_code: 400,
    description: 'Bad Request: message to edit not found',
  });
  await telegramPictures.deliver({ ...sent, as: 'photo' });
  await dueJobs.runDue();
  expect(shown().filter(({ media }) => media !== undefined)).toHaveLength(1);

  // It was taken, but the server has not heard so.
  api.hold('editMessageMedia', new Promise(() => undefined));
  await telegramPictures.deliver({ ...sent, as: 'photo', id: 'second' });
  void dueJobs.runDue();
  await expect.poll(() => api.callsTo('editMessageMedia')).toHaveLength(3);
  api.deletions.vanish(ada, api.messages.at(-1)?.messageId ?? 0);
  const next = await start();
  await next.db.updateTable('due_jobs').set({ held_until: 0 }).execute();
  await next.services.dueJobs.runDue();

  expect(shown().filter(({ media }) => media !== undefined)).toHaveLength(1);
  expect(await next.services.dueJobs.find(`picture:${ada}:second`)).toBeUndefined();
});
