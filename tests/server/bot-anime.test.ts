/** Anime, manga and the people behind them, looked up at AniList by commands. */
import { describe, expect, test } from 'vitest';

import { personalRules } from '#server/lib/limits';
import { lookupTexts } from '#server/services/lookup-texts';
import { personalTexts } from '#server/services/personal-texts';
import {
  type AniListStandIn,
  forAdults,
  frieren,
  narutos,
  onePiece,
  startAniList,
} from '#tests/anilist';
import { ann, bo, dan, startGroup } from '#tests/command-group';
import { startStandIn, timeoutFor } from '#tests/stand-in';
import { startBot } from '#tests/test-bot';

const hour = 3_600_000;
const reminder = `A reminder: ${lookupTexts.reminder('One Piece', 1100)}`;

async function startAnime(options: Parameters<typeof startGroup>[0] = {}) {
  const aniList = await startAniList();
  const group = await startGroup({ variables: aniList.variables, ...options });
  return { ...group, aniList };
}

const lastCall = ({ api }: Awaited<ReturnType<typeof startGroup>>, method: string) =>
  api.callsTo(method).at(-1)?.body;

describe('an anime', () => {
  test('is shown with its cover, its facts and a link to AniList', async () => {
    const group = await startAnime();

    await group.says(ann, '/anime Frieren');

    expect(lastCall(group, 'sendPhoto')).toMatchObject({
      photo: frieren.coverImage.extraLarge,
      caption: [
        'Frieren: Beyond Journey’s End',
        '葬送のフリーレン',
        'TV series · 28 episodes · autumn 2023 · finished · 91 of 100',
        'Genres: Adventure, Drama, Fantasy',
        '',
        'An elf outlives her friends.',
        '',
        ' More & more.',
        '',
        'Source: AniList',
      ].join('\n'),
      reply_markup: { inline_keyboard: [[{ text: 'AniList', url: frieren.siteUrl }]] },
    });
  });

  test('is shown in a private chat, too', async () => {
    const aniList = await startAniList();
    const { api, writes } = await startBot({ variables: aniList.variables });

    await writes('/anime frieren');

    expect(api.messages.at(-1)?.text).toContain('Beyond Journey’s End');
  });

  test('is text alone when Telegram does not get the cover', async () => {
    const group = await startAnime();
    group.api.media.breakUrl(frieren.coverImage.extraLarge);

    await group.says(ann, '/anime Frieren');

    expect(group.lastText()).toContain('Beyond Journey’s End');
    expect(group.api.callsTo('sendMessage')).toHaveLength(1);
  });

  test('that nobody knows is not found', async () => {
    const group = await startAnime();

    await group.says(ann, '/anime zzz');

    expect(group.lastText()).toBe(lookupTexts.none('zzz'));
  });

  test('needs a name', async () => {
    const group = await startAnime();

    await group.says(ann, '/anime');

    expect(group.lastText()).toBe(lookupTexts.usage('/anime Frieren'));
    expect(group.aniList.count()).toBe(0);
  });

  test('for adults is not shown, and AniList is not asked for it', async () => {
    const group = await startAnime();

    await group.says(ann, '/anime After Dark');

    expect(group.lastText()).toBe(lookupTexts.none('After Dark'));
    expect(JSON.stringify(group.aniList.calls)).toContain('isAdult: false');
  });
});

describe('a name of several', () => {
  test('is asked about by at most five buttons, and the one that is pressed is shown', async () => {
    const group = await startAnime();
    await group.says(ann, '/anime naruto');

    expect(group.lastText()).toBe(lookupTexts.choose('naruto'));
    const labels = group.api.show(group.api.messages.at(-1) ?? fail())?.buttons.flat();
    expect(labels).toEqual([
      'Naruto Classic (TV series, 2002)',
      'Naruto Shippuden (TV series, 2007)',
      'Naruto Movie 1 (film, 2004)',
      'Naruto Movie 2 (film, 2005)',
      'Naruto Movie 3 (film, 2006)',
    ]);
    const { shown } = await group.press([dan, 'Naruto Movie 1 (film, 2004)']);

    expect(shown?.text).toContain('Naruto Movie 1\nfilm');
    expect(lastCall(group, 'editMessageMedia')).toMatchObject({
      media: { type: 'photo', media: narutos[2]?.coverImage.extraLarge },
    });
  });

  test('leads to text alone when Telegram does not get the cover', async () => {
    const group = await startAnime();
    await group.says(ann, '/anime naruto');
    group.api.media.breakUrl('https://img.anili.example.org/442.jpg', 'WEBPAGE_CURL_FAILED');

    const { shown } = await group.press([ann, 'Naruto Movie 1 (film, 2004)']);

    expect(shown?.text).toContain('Naruto Movie 1\nfilm');
  });

  test('is no question when one has exactly this name', async () => {
    const group = await startAnime();

    await group.says(ann, '/anime NARUTO shippuden');

    expect(group.lastText()).toContain('Naruto Shippuden\nTV series');
  });

  test('whose choice AniList has no more says so to the one who presses', async () => {
    const group = await startAnime();
    await group.says(ann, '/anime naruto');
    group.aniList.world.media = [frieren];

    const { answers } = await group.press([ann, 'Naruto Movie 1 (film, 2004)']);

    expect(answers).toEqual([lookupTexts.over]);
  });
});

describe('others', () => {
  test.each([
    ['/manga Berserk', 'Berserk\nmanga · 1 volume · 380 chapters · still running'],
    [
      '/character Spike Spiegel',
      'Spike Spiegel\nスパイク\nLiked by 54321 users of AniList\nBest known for: Cowboy Bebop',
    ],
    [
      '/staff miyazaki',
      'Hayao Miyazaki\nDirector · Animator · Liked by 1 user of AniList\nBest known for: Tonari no Totoro',
    ],
    [
      '/studio madhouse',
      'MADHOUSE\nLiked by 2 users of AniList\nBest known for: Frieren: Beyond Journey’s End',
    ],
  ])('%s', async (command, beginning) => {
    const group = await startAnime();

    await group.says(ann, command);

    expect(group.lastText()?.slice(0, beginning.length)).toBe(beginning);
  });

  test('a character of works for adults alone is not shown', async () => {
    const group = await startAnime();

    await group.says(ann, '/character veiled');

    expect(group.lastText()).toBe(lookupTexts.none('veiled'));
  });

  test('a waifu is a heroine', async () => {
    const group = await startAnime();
    group.aniList.world.characters = Array.from(
      { length: 500 },
      () => group.aniList.world.characters,
    ).flat();

    await group.says(ann, '/waifu');

    expect(group.lastText()).toMatch(/^Fern\n/);
  });
});

describe('a list', () => {
  test('of a season has the most popular of it', async () => {
    const group = await startAnime();

    await group.says(ann, '/season fall 2023');

    expect(group.lastText()).toBe(
      'Most popular in autumn 2023:\n\n1. Frieren: Beyond Journey’s End · 91\n2. One Piece · 91\n\nSource: AniList',
    );
  });

  test.each(['/season yesterday', '/season 1800', '/season winter spring'])(
    'of no season: %s',
    async (command) => {
      const group = await startAnime();

      await group.says(ann, command);

      expect(group.lastText()).toBe(lookupTexts.usage('/season winter 2026'));
    },
  );

  test('of a season without anime is empty', async () => {
    const group = await startAnime();

    await group.says(ann, '/season winter 1960');

    expect(group.lastText()).toBe('Nothing was found.');
  });

  test.each(['/top', '/topanime'])('of the best rated: %s', async (command) => {
    const group = await startAnime();

    await group.says(ann, command);

    expect(group.lastText()).toMatch(/^Best rated:\n\n1\. Frieren/);
    expect(group.lastText()).not.toContain(forAdults.title.romaji);
  });

  test('of recommendations leaves out what is for adults', async () => {
    const group = await startAnime();

    await group.says(ann, '/recommend frieren');

    expect(group.lastText()).toBe(
      'Those who like Frieren: Beyond Journey’s End also like:\n\n1. One Piece · 91\n\nSource: AniList',
    );
  });

  test('of recommendations may be empty', async () => {
    const group = await startAnime();
    group.aniList.world.recommended = [];

    await group.says(ann, '/recommend frieren');

    expect(group.lastText()).toBe(lookupTexts.noneRecommended('Frieren: Beyond Journey’s End'));
  });

  test('of what airs has the next 24 hours', async () => {
    const group = await startAnime();
    const at = group.server.now() + 2 * hour;
    group.aniList.airs(onePiece, 1100, at);
    group.aniList.airs(frieren, 29, group.server.now() + 30 * hour);

    await group.says(ann, '/schedule');

    const time = new Date(at).toISOString().slice(11, 16);
    expect(group.lastText()).toBe(
      `In the next 24 hours, in UTC:\n\n${time} One Piece, episode 1100\n\nSource: AniList`,
    );
  });
});

describe('the next episode', () => {
  async function startAiring(options: Parameters<typeof startGroup>[0] = {}) {
    const group = await startAnime(options);
    group.aniList.airs(onePiece, 1100, group.server.now() + 72 * hour);
    await group.says(ann, '/airing One Piece');
    return group;
  }

  test('is said, and who wants it is reminded in private', async () => {
    const group = await startAiring();
    expect(group.lastText()).toContain('Episode 1100 airs in 3 days: ');

    const { answers } = await group.press([dan, lookupTexts.remindMe]);

    const promise = lookupTexts.willRemind('One Piece', 1100);
    expect(answers).toEqual([promise]);
    expect(group.api.messages.at(-1)).toMatchObject({ to: dan, text: promise });
    await group.server.services.dueJobs.runDue();
    expect(group.lastText()).toBe(promise);
    group.server.wait(73 * hour);
    await group.server.services.dueJobs.runDue();
    expect(group.api.messages.at(-1)).toMatchObject({
      to: dan,
      text: reminder,
    });
  });

  test('is reminded of once, however often the button is pressed', async () => {
    const group = await startAiring();
    await group.press([dan, lookupTexts.remindMe], [dan, lookupTexts.remindMe]);

    group.server.wait(73 * hour);
    await group.server.services.dueJobs.runDue();

    const reminders = group.api.messages.filter(({ text }) => text === reminder);
    expect(reminders).toHaveLength(1);
  });

  test('needs a private chat that was begun', async () => {
    const group = await startAiring();
    group.api.setReach(dan, 'never started');

    const { answers } = await group.press([dan, lookupTexts.remindMe]);

    expect(answers).toEqual([lookupTexts.startFirst]);
    expect(await group.server.services.reminders.list(dan)).toEqual([]);
  });

  test('is not promised to one who has as many reminders as they may', async () => {
    const group = await startAiring();
    const { reminders } = group.server.services;
    for (let count = 0; count < personalRules.maxReminders; count += 1) {
      const dueAt = group.server.now() + hour;
      const where = { telegramId: dan, chatId: dan, topicId: undefined };
      await reminders.add({ ...where, key: `tea.${count}`, text: 'tea', dueAt });
    }

    const { answers } = await group.press([dan, lookupTexts.remindMe]);

    expect(answers).toEqual([personalTexts.reminders.atMost(personalRules.maxReminders)]);
    expect(group.api.messages.filter(({ to }) => to === dan)).toEqual([]);
  });

  test('of a finished anime is none', async () => {
    const group = await startAnime();

    await group.says(ann, '/airing Frieren');

    expect(group.lastText()).toContain(lookupTexts.noNext('Frieren: Beyond Journey’s End'));
    expect(group.api.show(group.api.messages.at(-1) ?? fail())?.buttons).toEqual([['AniList']]);
  });
});

describe('AniList', () => {
  const fails = async (plan: (aniList: AniListStandIn) => void, timeoutMs?: number) => {
    const aniList = await startAniList();
    const group = await startGroup({
      variables: aniList.variables,
      ...(timeoutMs === undefined ? {} : { serviceTimeoutMs: timeoutMs }),
    });
    plan(aniList);
    await group.says(ann, '/anime Frieren');
    return { ...group, aniList };
  };

  test('that wants a pause gets it', async () => {
    const group = await fails(({ fail: plan }) =>
      plan('POST /graphql', { status: 429, headers: { 'Retry-After': '40' } }),
    );
    const busy = 'AniList is asked too often right now. Please try again in 40 seconds.';
    expect(group.lastText()).toBe(busy);

    await group.says(bo, '/manga Berserk');

    expect(group.lastText()).toContain('AniList is asked too often right now.');
    expect(group.aniList.count()).toBe(1);
    group.server.wait(41_000);
    await group.says(bo, '/manga Berserk');
    expect(group.lastText()).toContain('Berserk\nmanga');
  });

  test.each([
    ['down', { status: 503 }, 'AniList does not answer right now.'],
    ['slow', 'hang', 'AniList does not answer right now.'],
    ['cut off', 'reset', 'AniList does not answer right now.'],
    ['broken', 'page', 'gave an answer that cannot be used'],
    [
      'of another shape',
      { body: { data: { Page: { media: 'x' } } } },
      'gave an answer that cannot be used',
    ],
    ['switched off', { status: 403 }, 'The service does not answer'],
  ] as const)('that is %s is said, and asked again the next time', async (_how, failure, said) => {
    const group = await fails(
      ({ fail: plan }) => plan('POST /graphql', failure),
      timeoutFor(failure, 500),
    );
    expect(group.lastText()).toContain(said);

    await group.says(ann, '/anime Frieren');

    expect(group.lastText()).toContain('Beyond Journey’s End');
  });

  test('is asked once for an hour, and for ten minutes about episodes', async () => {
    const group = await startAnime();
    for (const command of ['/anime Frieren', '/anime  frieren ', '/airing Frieren']) {
      await group.says(ann, command);
    }
    expect(group.aniList.count()).toBe(2);

    group.server.wait(11 * 60_000);
    await group.says(ann, '/anime Frieren');
    await group.says(ann, '/airing Frieren');
    expect(group.aniList.count()).toBe(3);

    group.server.wait(hour);
    await group.says(ann, '/anime Frieren');
    expect(group.aniList.count()).toBe(4);
  });

  test('is asked once by those who ask at the same time', async () => {
    const { server, aniList } = await startAnime();
    const { lookups } = server.services;

    await Promise.all([lookups.search('anime', 'Frieren'), lookups.search('anime', 'frieren')]);

    expect(aniList.count()).toBe(1);
  });

  test('is asked thirty times a minute by the whole server, in all processes', async () => {
    const group = await startAnime();
    const { lookups } = group.server.services;
    for (let page = 1; page <= 30; page += 1) {
      await lookups.search('anime', 'naruto', { page });
    }

    await group.says(ann, '/anime Frieren');

    expect(group.lastText()).toContain('AniList is asked too often right now.');
    expect(group.aniList.count()).toBe(30);
    group.server.wait(60_001);
    await group.says(ann, '/anime Frieren');
    expect(group.lastText()).toContain('Beyond Journey’s End');
  });
});

test('a person looks up twenty times in ten minutes, others go on', async () => {
  const { api, server, writes } = await startBot({ variables: (await startAniList()).variables });
  for (let count = 0; count < 20; count += 1) {
    server.wait(7000);
    await writes('/top');
  }
  await writes('/top');
  expect(api.messages.at(-1)?.text).toContain('Too many requests.');

  await writes('/top', { chatId: 43, from: 43 });
  expect(api.messages.at(-1)?.text).toContain('Best rated');

  server.wait(10 * 60_000);
  await writes('/top');
  expect(api.messages.at(-1)?.text).toContain('Best rated');
});

test('without AniList there is no such command', async () => {
  const { api, says } = await startGroup();

  await says(ann, '/anime Frieren');

  expect(api.messages).toEqual([]);
});

describe('a picture', () => {
  const picture = 'https://i.pximg.example.org/1.jpg';

  async function startPictures(body: unknown, status = 200) {
    const upstream = await startStandIn(() => ({ status, body }));
    const group = await startGroup({ variables: { PUBLIC_API_UPSTREAM: upstream.url } });
    return { ...group, upstream };
  }

  test('comes with its source', async () => {
    const group = await startPictures({ result: picture });

    await group.says(ann, '/sfw Totoro');

    expect(lastCall(group, 'sendPhoto')).toMatchObject({
      photo: picture,
      caption: 'Totoro\nSource: i.pximg.example.org',
    });
    expect(group.upstream.calls[0]?.path).toBe('/anime/sfw?character=Totoro');
  });

  test('comes from Pixiv by its other name, of somebody when none is named', async () => {
    const group = await startPictures({ images: [{ stream_url: picture }] });

    await group.says(ann, '/pixiv');

    expect(group.upstream.calls[0]?.path).toBe('/anime/pixiv?character=Hatsune+Miku');
    expect(group.lastText()).toContain('Hatsune Miku');
  });

  test('that Telegram does not get is a link', async () => {
    const group = await startPictures({ result: picture });
    group.api.media.breakUrl(picture, 'wrong type of the web page content');

    await group.says(ann, '/sfw Totoro');

    expect(lastCall(group, 'sendMessage')).toMatchObject({
      reply_markup: { inline_keyboard: [[{ text: lookupTexts.picture, url: picture }]] },
    });
  });

  test.each([
    [404, {}, 'Nothing was found.'],
    [200, { result: 'javascript:alert(1)' }, 'gave an answer that cannot be used'],
    [500, {}, 'The service does not answer'],
  ])('is none for an answer %i %j', async (status, body, said) => {
    const group = await startPictures(body, status);

    await group.says(ann, '/sfw Totoro');

    expect(group.lastText()).toContain(said);
  });
});

function fail(): never {
  throw new Error('The bot has sent nothing');
}
