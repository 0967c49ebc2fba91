/** Look-ups of the public API by AniList, when it is enabled. */
import { describe, expect, test } from 'vitest';

import { run } from '#tests/public-api';
import { type RecordedCall, startStandIn } from '#tests/stand-in';
import { createTestServer } from '#tests/test-server';

/** Long enough for a busy machine; short for a server that never answers. */
const defaultTimeoutMs = 10_000;
const impatienceMs = 150;

const spike = {
  name: { full: 'Spike Spiegel', native: 'スパイク・スピーゲル' },
  description: 'A hunter.<br>~!He dies.!~ <b>Smokes.</b> Half an emoji: &#55357;, &#38;lt;',
  image: { large: 'https://img.anili.st/spike.png' },
  siteUrl: 'https://anilist.co/character/1',
};
const bebop = {
  title: { romaji: 'Cowboy Bebop', english: null, native: 'カウボーイビバップ' },
  description: null,
  format: 'TV',
  status: 'FINISHED',
  episodes: 26,
  seasonYear: 1998,
  averageScore: 86,
  genres: ['Action', 'Sci-Fi'],
  coverImage: { large: 'javascript:alert(1)' },
  siteUrl: 'https://anilist.co/anime/1',
};

async function startWithAniList({
  getPage = () => ({ characters: [spike], media: [bebop] }),
  timeoutMs = defaultTimeoutMs,
}: {
  readonly getPage?: (call: RecordedCall) => unknown;
  readonly timeoutMs?: number;
} = {}) {
  const aniList = await startStandIn((call) => ({ body: { data: { Page: getPage(call) } } }));
  const server = await createTestServer({
    variables: { PUBLIC_API_ANILIST: 'on', ANILIST_API_ROOT: `${aniList.url}/graphql` },
    serviceTimeoutMs: timeoutMs,
  });
  return { aniList, server };
}

describe('AniList', () => {
  test('is not called unless it is switched on', async () => {
    const { aniList } = await startWithAniList();
    const server = await createTestServer({
      variables: { ANILIST_API_ROOT: `${aniList.url}/graphql` },
    });

    expect((await run(server, 'anilist-waifu')).body).toMatchObject({ is_demo: true });
    expect(aniList.calls).toEqual([]);
  });

  test('finds characters, without markup, without spoilers and without what Telegram does not take', async () => {
    const { aniList, server } = await startWithAniList();

    const { body, headers } = await run(server, 'anilist-character', { character: 'Spike' });

    expect(body).toEqual({
      characters: [
        {
          name: 'Spike Spiegel',
          native_name: 'スパイク・スピーゲル',
          description: 'A hunter.\n Smokes. Half an emoji: \uFFFD, &lt;',
          image: 'https://img.anili.st/spike.png',
          site_url: 'https://anilist.co/character/1',
        },
      ],
      source: 'anilist',
    });
    expect(headers.get('Cache-Control')).toBe('public, max-age=300');
    expect(aniList.calls[0]?.body).toMatchObject({ variables: { name: 'Spike' } });
  });

  test('finds anime, without adult ones and without invalid links', async () => {
    const { aniList, server } = await startWithAniList();

    const { body } = await run(server, 'anilist-anime', { query: 'bebop' });

    expect(body).toEqual({
      anime: [
        {
          title: 'Cowboy Bebop',
          native_title: 'カウボーイビバップ',
          format: 'TV',
          status: 'FINISHED',
          episodes: 26,
          year: 1998,
          score: 86,
          genres: ['Action', 'Sci-Fi'],
          site_url: 'https://anilist.co/anime/1',
        },
      ],
      source: 'anilist',
    });
    expect(aniList.calls[0]?.body).toMatchObject({
      query: expect.stringContaining('isAdult: false'),
      variables: { title: 'bebop' },
    });
  });

  test('finds the best match for a name, or nothing', async () => {
    const { server } = await startWithAniList({
      getPage: ({ body }) =>
        JSON.stringify(body).includes('Unknown') ? { characters: [] } : { characters: [spike] },
    });

    expect((await run(server, 'anilist-waifu', { waifu: 'Spike' })).body).toMatchObject({
      waifu: { name: 'Spike Spiegel' },
    });
    expect(await run(server, 'anilist-waifu', { waifu: 'Unknown' })).toMatchObject({
      status: 404,
      body: { detail: 'Nothing was found.' },
    });
  });

  test('returns its favourites when no name is given', async () => {
    const { aniList, server } = await startWithAniList();

    expect((await run(server, 'anilist-character')).status).toBe(200);

    expect(JSON.stringify(aniList.calls[0]?.body)).not.toContain('search');
  });

  test('is called once for many equal requests, and again when the answer is old', async () => {
    const { aniList, server } = await startWithAniList();
    const search = () => run(server, 'anilist-anime', { query: 'bebop' });

    await Promise.all([search(), search(), search()]);
    await search();
    expect(aniList.calls).toHaveLength(1);
    server.wait(16 * 60_000);
    await search();

    expect(aniList.calls).toHaveLength(2);
  });

  test.each([
    ['reset', 503],
    ['page', 502],
    [{ status: 403, body: { errors: [{ message: 'The AniList API has been disabled' }] } }, 503],
    [{ body: { data: null, errors: [{ message: 'Internal Server Error' }] } }, 502],
    [{ status: 429, headers: { 'Retry-After': '30' } }, 429],
  ] as const)(
    'that fails (%j) is refused, and the failure is not remembered',
    async (failure, status) => {
      const { aniList, server } = await startWithAniList();
      aniList.fail('POST /graphql', failure);

      const refused = await run(server, 'anilist-anime', { query: 'bebop' });

      expect(refused).toMatchObject({ status, body: { detail: expect.any(String) } });
      server.wait(30_000);
      expect((await run(server, 'anilist-anime', { query: 'bebop' })).status).toBe(200);
    },
  );

  test('that limits requests gets no request for as long as it says, from any user', async () => {
    const { aniList, server } = await startWithAniList();
    aniList.fail('POST /graphql', { status: 429, headers: { 'Retry-After': '30' } });

    await run(server, 'anilist-anime', { query: 'bebop' });
    server.wait(20_000);
    const refused = await run(server, 'anilist-character', { character: 'Spike' });
    const asked = aniList.calls.length;
    server.wait(10_000);
    const later = await run(server, 'anilist-character', { character: 'Spike' });

    expect(refused.status).toBe(429);
    expect(refused.headers.get('Retry-After')).toBe('10');
    expect(asked).toBe(1);
    expect(later.status).toBe(200);
  });

  test('that never answers times out', async () => {
    const { aniList, server } = await startWithAniList({ timeoutMs: impatienceMs });
    aniList.fail('POST /graphql', 'hang');

    expect(await run(server, 'anilist-anime', { query: 'bebop' })).toMatchObject({
      status: 503,
      body: { detail: 'AniList does not answer right now. Please try again in a moment.' },
    });
  });

  test('does not change other endpoints', async () => {
    const { server } = await startWithAniList();

    expect((await run(server, 'anime-sfw')).body).toMatchObject({ source: 'offline' });
  });
});
