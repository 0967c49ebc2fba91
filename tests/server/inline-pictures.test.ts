/** The pictures of a history that their owner sends to any chat. */
import { describe, expect, test } from 'vitest';

import { deleteGeneration } from '#contract/endpoints/generations';
import { signIn } from '#tests/chats';
import { typeQuery } from '#tests/inline';
import { save } from '#tests/pictures';
import { ada, startBot } from '#tests/test-bot';

const publicUrl = 'https://nori.example.org';
const bob = 43;

/** Ada and Bob have saved pictures. */
async function startWithPictures(variables: Readonly<Record<string, string>> = {}) {
  const bot = await startBot({ variables: { PUBLIC_URL: publicUrl, ...variables } });
  const { server } = bot;
  const me = await signIn(server, ada.id);
  const other = await signIn(server, bob);
  for (const prompt of ['a red fox', 'a lighthouse', 'a fox in the snow']) {
    await save(server, me.token, { prompt });
    server.wait(1000);
  }
  await save(server, other.token, { prompt: 'a fox of Bob' });
  return { ...bot, me };
}

type Bot = Awaited<ReturnType<typeof startWithPictures>>;

const titles = (shown: Awaited<ReturnType<typeof typeQuery>>) =>
  shown.results?.map(({ title }) => title);

/** Loads an address under the public one, as Telegram does. */
async function load({ server }: Bot, address: unknown) {
  const { origin, pathname, search } = new URL(String(address));
  expect(origin).toBe(publicUrl);
  const response = await server.app.request(pathname + search);
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('Content-Type'),
    magic: bytes.subarray(0, 2).toString('hex'),
  };
}

describe('picture', () => {
  test('lists the newest first, by JPEGs that Telegram can load, to their owner alone', async () => {
    const bot = await startWithPictures();

    const shown = await typeQuery(bot, 'picture');

    expect(titles(shown)).toEqual(['a fox in the snow', 'a lighthouse', 'a red fox']);
    expect(shown).toMatchObject({ isPersonal: true, cacheS: 10 });
    const [first] = shown.results ?? [];
    expect(first).toMatchObject({ type: 'photo', photo_width: 64, photo_height: 48 });
    expect(first).not.toHaveProperty('caption');
    const jpeg = { status: 200, type: 'image/jpeg', magic: 'ffd8' };
    expect(await load(bot, first?.['photo_url'])).toEqual(jpeg);
    expect(await load(bot, first?.['thumbnail_url'])).toEqual(jpeg);
  });

  test('names photos that the bot has sent already, beside the addresses of the others', async () => {
    const bot = await startWithPictures();
    const [, lighthouse] = await bot.server.services.generations.list(ada.id);
    await bot.server.services.telegramPictures.deliver({
      id: 'sent',
      telegramId: ada.id,
      chatId: ada.id,
      generationId: lighthouse?.id ?? '',
      as: 'photo',
      keepsRecipe: true,
    });
    await bot.server.services.dueJobs.runDue();
    const fileId = bot.api.messages.flatMap((one) => bot.api.show(one)?.media ?? [])[0]?.fileId;
    // Telegram has the answer to the same words for a while.
    const listSources = async (query: string) =>
      (await typeQuery(bot, query)).results?.map((result) =>
        'photo_url' in result ? 'address' : result['photo_file_id'],
      );

    expect(fileId).toMatch(/./);
    expect(await listSources('picture')).toEqual(['address', fileId, 'address']);

    // Telegram has it no more.
    bot.api.media.forget(fileId ?? '');
    expect(await listSources('picture a')).toEqual(['address', 'address', 'address']);
    const calls = bot.api.callsTo('answerInlineQuery').length;
    expect(await listSources('picture A')).toEqual(['address', 'address', 'address']);
    expect(bot.api.callsTo('answerInlineQuery')).toHaveLength(calls + 1);
  });

  test('finds those whose prompts have all the words', async () => {
    const bot = await startWithPictures();

    expect(titles(await typeQuery(bot, 'picture FOX snow'))).toEqual(['a fox in the snow']);
    expect(await typeQuery(bot, 'picture zebra')).toMatchObject({
      results: [],
      button: { text: 'Nothing found' },
    });
  });

  test('with an ID, as buttons under pictures have it, is that one', async () => {
    const bot = await startWithPictures();
    const [, lighthouse] = await bot.server.services.generations.list(ada.id);

    expect(titles(await typeQuery(bot, `picture ${lighthouse?.id}`))).toEqual(['a lighthouse']);
  });

  test('shows no one the pictures of another, by their words or IDs, also right after the owner', async () => {
    const bot = await startWithPictures();
    const [mine] = await bot.server.services.generations.list(ada.id);
    await typeQuery(bot, 'picture fox');
    await typeQuery(bot, `picture ${mine?.id}`);

    expect(titles(await typeQuery(bot, 'picture fox', { from: bob }))).toEqual(['a fox of Bob']);
    expect((await typeQuery(bot, `picture ${mine?.id}`, { from: bob })).results).toEqual([]);
  });

  test('leaves out what is deleted, and what is for adults', async () => {
    const bot = await startWithPictures();
    const [newest, next] = await bot.server.services.generations.list(ada.id);
    await bot.server.call(deleteGeneration, { id: newest?.id ?? '' }, bot.me);
    await bot.server.db
      .updateTable('generations')
      .set({ nsfw: 1 })
      .where('id', '=', next?.id ?? '')
      .execute();

    expect(titles(await typeQuery(bot, 'picture'))).toEqual(['a red fox']);
  });

  test('says that there are none', async () => {
    const bot = await startWithPictures();

    expect(await typeQuery(bot, 'picture', { from: 44 })).toMatchObject({
      results: [],
      button: { text: 'You have no saved pictures in Nori' },
    });
  });

  test('comes in pages of twenty', async () => {
    const bot = await startWithPictures();
    for (let number = 4; number <= 21; number += 1) {
      await save(bot.server, bot.me.token, { prompt: `an otter ${number}` });
    }

    const first = await typeQuery(bot, 'picture');
    const second = await typeQuery(bot, 'picture', { offset: first.nextOffset ?? '' });

    expect([first.results?.length, first.nextOffset, second.results?.length]).toEqual([
      20,
      '20',
      1,
    ]);
  });

  test('is no keyword without a public address, from which Telegram could load it', async () => {
    const bot = await startWithPictures({ PUBLIC_URL: '' });

    expect((await typeQuery(bot, 'picture')).results).toEqual([]);
    expect((await typeQuery(bot, '')).results?.map(({ type }) => type)).not.toContain('photo');
  });
});

test('where nothing is typed yet, the own pictures stand after the keywords, and count as such when they are sent', async () => {
  const bot = await startWithPictures();

  const shown = await typeQuery(bot, '');
  const place = shown.results?.findIndex(({ title }) => title === 'a lighthouse') ?? -1;
  bot.api.inline.choose(shown.id, place);
  await bot.api.updates.confirmed();
  await bot.server.handled();

  expect(titles(shown)?.slice(-3)).toEqual(['a fox in the snow', 'a lighthouse', 'a red fox']);
  expect(shown.isPersonal).toBe(true);
  expect(await bot.server.services.usage.totals()).toMatchObject([
    { _id: 'inline-picture', count: 1 },
  ]);
});
