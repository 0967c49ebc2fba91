/** Anime, manga, characters and pages of Wikipedia that are looked up in any chat. */
import { describe, expect, test } from 'vitest';

import { frieren, startAniList } from '#tests/anilist';
import { bo } from '#tests/command-group';
import { typeQuery, listTexts } from '#tests/inline';
import { contact, startWikimedia } from '#tests/reference-servers';
import { ada, startBot } from '#tests/test-bot';

const otter = {
  title: 'Otter',
  description: 'subfamily of mammals',
  extract: 'Otters are carnivorous mammals. 🦦',
};
const otters = { title: 'Otter hound', description: 'breed of dog' };

async function startAnime(options: Parameters<typeof startBot>[0] = {}) {
  const aniList = await startAniList();
  return { ...(await startBot({ variables: aniList.variables, ...options })), aniList };
}

async function startWiki(options: Parameters<typeof startBot>[0] = {}) {
  const wiki = await startWikimedia({
    pages: { en: [otter, otters], de: [{ title: 'Otter', extract: 'Otter sind Raubtiere.' }] },
  });
  const variables = { WIKIMEDIA_CONTACT: contact, WIKIMEDIA_ROOT: wiki.root };
  return { ...(await startBot({ variables, ...options })), wiki };
}

describe('an anime', () => {
  test('is sent with its facts, a link and its picture in the list', async () => {
    const bot = await startAnime();

    const shown = await typeQuery(bot, 'anime frieren');

    expect(shown.results).toMatchObject([
      {
        type: 'article',
        title: 'Frieren: Beyond Journey’s End',
        description: 'TV series · 28 episodes · autumn 2023 · finished · 91 of 100',
        thumbnail_url: frieren.coverImage.extraLarge,
        input_message_content: { link_preview_options: { is_disabled: false } },
      },
    ]);
    expect(listTexts(shown)?.[0]).toContain('Source: AniList');
    expect(shown).toMatchObject({ isPersonal: false, cacheS: 300 });
  });

  test('is looked up once for all who ask the same', async () => {
    const bot = await startAnime();

    await typeQuery(bot, 'anime frieren');
    await typeQuery(bot, 'anime frieren', { from: bo });
    await typeQuery(bot, 'anime  FRIEREN', { from: bo });

    expect(bot.aniList.count()).toBe(1);
    expect(bot.api.callsTo('answerInlineQuery')).toHaveLength(2);
  });

  test('that nobody knows is not found', async () => {
    const bot = await startAnime();

    expect(await typeQuery(bot, 'anime zzz')).toMatchObject({
      results: [],
      cacheS: 60,
      button: { text: 'Nothing found' },
    });
  });

  test('for adults is not found', async () => {
    const bot = await startAnime();

    expect(await typeQuery(bot, 'anime After Dark')).toMatchObject({ results: [] });
  });

  test('is not looked up before two letters are typed, nor while more are', async () => {
    const bot = await startAnime();

    expect(await typeQuery(bot, 'anime f')).toMatchObject({ button: { text: 'Go on typing' } });
    for (const query of ['anime fr', 'anime fri', 'anime frieren']) {
      bot.api.inline.typeQuery(ada.id, query);
    }
    await bot.api.updates.confirmed();
    await bot.server.handled();

    expect(bot.aniList.count()).toBe(1);
  });

  test('is no keyword where AniList is not connected', async () => {
    const bot = await startBot();

    expect(await typeQuery(bot, 'anime frieren')).toMatchObject({ results: [] });
  });
});

test('a manga and a character are found by their own keywords', async () => {
  const bot = await startAnime();

  await typeQuery(bot, 'manga naruto');
  await typeQuery(bot, 'character frieren');

  expect(bot.aniList.count()).toBe(2);
});

describe('many of a name', () => {
  test('come in pages', async () => {
    const aniList = await startAniList({ sequels: 11 });
    const bot = await startBot({ variables: aniList.variables });

    const first = await typeQuery(bot, 'anime precure');
    const { nextOffset = '' } = first;
    const second = await typeQuery(bot, 'anime precure', { offset: nextOffset });

    expect([first.results?.length, nextOffset]).toEqual([10, '2']);
    expect(second).toMatchObject({ results: [{ title: 'Precure 10' }], nextOffset: '' });
  });
});

describe('when AniList', () => {
  test.each([
    ['wants no more questions', 429, 'Too many questions. Try again later.'],
    ['is down', 500, 'No answer right now. Try again.'],
  ])('%s, that is said', async (_case, status, text) => {
    const bot = await startAnime();
    bot.aniList.fail('*', { status, headers: { 'Retry-After': '30' }, body: {} });

    expect(await typeQuery(bot, 'anime frieren')).toMatchObject({ results: [], button: { text } });
  });

  test('does not answer, the question is answered all the same', async () => {
    const bot = await startAnime({ serviceTimeoutMs: 100 });
    bot.aniList.fail('*', 'hang');

    expect(await typeQuery(bot, 'anime frieren')).toMatchObject({
      results: [],
      button: { text: 'No answer right now. Try again.' },
    });
  });
});

test('a person may look up so much only', async () => {
  const bot = await startAnime();
  for (let number = 1; number <= 40; number += 1) {
    await bot.server.services.limiter.tryTake(
      { name: 'inline-lookups', max: 40, windowMs: 600_000, text: 'requests' },
      ada.id,
    );
  }

  expect(await typeQuery(bot, 'anime frieren')).toMatchObject({
    button: { text: 'Too many questions. Try again later.' },
  });
  expect((await typeQuery(bot, 'anime frieren', { from: bo })).results).toHaveLength(1);
});

describe('a page of Wikipedia', () => {
  test('is sent by its beginning, others by what they are about', async () => {
    const bot = await startWiki();

    const shown = await typeQuery(bot, 'wiki otter');

    expect(shown.results?.map(({ title, description }) => [title, description])).toEqual([
      ['Otter', 'subfamily of mammals'],
      ['Otter hound', 'breed of dog'],
    ]);
    expect(listTexts(shown)).toEqual([
      'Otter\n\nOtters are carnivorous mammals. 🦦\n\nFrom Wikipedia, CC BY-SA 4.0',
      'Otter hound\n\nbreed of dog\n\nFrom Wikipedia, CC BY-SA 4.0',
    ]);
    expect(shown.results?.[0]).toMatchObject({
      thumbnail_url: 'https://upload.wikimedia.org/0.jpg',
      reply_markup: {
        inline_keyboard: [
          [{ text: 'Read on Wikipedia', url: 'https://en.wikipedia.org/wiki/Otter' }],
        ],
      },
    });
    expect(shown).toMatchObject({ isPersonal: false, cacheS: 300 });
  });

  test('that does not exist is not found', async () => {
    const bot = await startWiki();

    expect(await typeQuery(bot, 'wiki zzz')).toMatchObject({ button: { text: 'Nothing found' } });
  });

  test('is not asked for longer than the person waits', async () => {
    const bot = await startWiki({ serviceTimeoutMs: 100 });
    bot.wiki.fail('*', 'hang');

    expect(await typeQuery(bot, 'wiki otter')).toMatchObject({
      button: { text: 'No answer right now. Try again.' },
    });
  });
});

describe('in a chat that the bot is not in', () => {
  test('an anime is answered with the one that fits best', async () => {
    const bot = await startAnime();

    const id = bot.api.inline.mention(ada.id, 'anime frieren @nori_test_bot');
    await bot.api.updates.confirmed();
    await bot.server.handled();

    const [text] = listTexts({ id, ...bot.api.inline.answerTo(id) }) ?? [];
    expect(text).toContain('Frieren: Beyond Journey’s End');
  });
});
