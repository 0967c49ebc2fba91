/** The public API when another server answers it, and each way in which that can fail. */
import { describe, expect, test } from 'vitest';

import { publicEndpoints } from '#contract/playground/endpoints';
import { getAddress, run } from '#tests/public-api';
import { startStandIn } from '#tests/stand-in';
import { createTestServer } from '#tests/test-server';

/** Long enough for a busy machine; short for a server that never answers. */
const defaultTimeoutMs = 10_000;
const impatienceMs = 150;

const anything = {
  result: 'https://pictures.example/1.png',
  images: [{ stream_url: '/stream/1', artist: 'an artist' }],
  page: 1,
  videos: [],
  characters: [],
  anime: [],
  waifu: { name: 'Holo' },
  url: 'https://x.com/a/status/1',
  media: [],
  stream_url: '/voice/1.mp3',
  categories: ['One'],
};

async function startWithUpstream(timeoutMs = defaultTimeoutMs) {
  const upstream = await startStandIn(() => ({ body: anything }));
  const server = await createTestServer({
    variables: { PUBLIC_API_UPSTREAM: `${upstream.url}/v1/` },
    serviceTimeoutMs: timeoutMs,
  });
  return { upstream, server };
}

const page = { page: '1' };

describe('another server', () => {
  test.each(publicEndpoints.filter(({ examples }) => examples.length > 0))(
    'answers $id, and receives the parameters that the table allows',
    async ({ id, examples, path }) => {
      const { upstream, server } = await startWithUpstream();

      const address = getAddress(id, examples[0]?.parameters);
      const { status, body } = await server.request(
        `${address}${address.includes('?') ? '&' : '?'}secret=1`,
        { headers: { Authorization: 'Bearer abcdefghijklmnopqrstuvwxyz', Cookie: 'a=b' } },
      );

      expect(status).toBe(200);
      expect(body).toMatchObject({ source: 'upstream' });
      expect(upstream.calls).toHaveLength(1);
      const [call] = upstream.calls;
      expect(call?.path).toMatch(new RegExp(`^/v1${path.replace(/:.*/, '')}`));
      expect(call?.path).not.toContain('secret');
      expect(call?.headers).not.toHaveProperty('authorization');
      expect(call?.headers).not.toHaveProperty('cookie');
    },
  );

  test('may send more fields than the table has, and its relative links lead to it', async () => {
    const { upstream, server } = await startWithUpstream();

    expect((await run(server, 'anime-pixiv')).body).toMatchObject({
      images: [{ stream_url: `${upstream.url}/stream/1`, artist: 'an artist' }],
    });
    expect((await run(server, 'tts-synthesize')).body).toMatchObject({
      stream_url: `${upstream.url}/voice/1.mp3`,
    });
  });

  describe.each(['anime-sfw', 'anime-nsfw', 'anime-pixiv', 'anime-kemono'])(
    'that is called for %s',
    (id) => {
      test.each([
        ['one picture', { result: '/1.png' }, (root: string) => ({ result: `${root}/1.png` })],
        [
          'a list of pictures',
          { images: [{ stream_url: '/1.png' }] },
          (root: string) => ({ images: [{ stream_url: `${root}/1.png` }] }),
        ],
      ])('may answer with %s', async (_name, body, seen) => {
        const { upstream, server } = await startWithUpstream();
        upstream.fail('GET /v1/anime/*', { body });

        const answered = await run(server, id);

        expect(answered.status).toBe(200);
        expect(answered.body).toEqual({ source: 'upstream', ...seen(upstream.url) });
      });

      test.each([
        ['neither', { character: 'Totoro' }],
        ['no picture at all', { images: [] }],
        [
          'a script among its links',
          { result: 'javascript:1', images: [{ stream_url: '/1.png' }] },
        ],
      ])('is refused when it answers with %s', async (_name, body) => {
        const { upstream, server } = await startWithUpstream();
        upstream.fail('GET /v1/anime/*', { body });

        expect((await run(server, id)).status).toBe(502);
      });
    },
  );

  test('is not called when the input is invalid', async () => {
    const { upstream, server } = await startWithUpstream();

    expect((await run(server, 'hanime')).status).toBe(422);
    expect((await server.request('/public-api/admin')).status).toBe(404);
    expect(upstream.calls).toEqual([]);
  });

  const tooLarge = { body: JSON.stringify({ ...anything, more: 'a'.repeat(5 * 1024 * 1024) }) };
  const elsewhere = { status: 302, headers: { Location: 'http://169.254.169.254/latest' } };

  const down = {
    status: 503,
    detail: 'The service does not answer right now. Please try again in a moment.',
  };
  const broken = {
    status: 502,
    detail: 'The service gave an answer that cannot be used. Please try again later.',
  };

  test.each([
    ['closes the connection', 'reset', down],
    ['answers a page', 'page', broken],
    ['answers JSON of another shape', { body: { ok: true } }, broken],
    ['answers five megabytes', tooLarge, broken],
    ['leads elsewhere', elsewhere, broken],
    ['breaks', { status: 500, body: { detail: 'stack trace' } }, down],
    ['asks for a key', { status: 401, body: { detail: 'no key' } }, broken],
    ['has nothing', { status: 404, body: {} }, { status: 404, detail: 'Nothing was found.' }],
    [
      'is not content',
      { status: 422, body: { detail: [{ msg: 'page is too far' }] } },
      { status: 422, detail: 'page is too far' },
    ],
  ] as const)('that %s is refused, with advice', async (_name, failure, told) => {
    const { upstream, server } = await startWithUpstream();
    upstream.fail('GET /v1/hanime*', failure);

    const refused = await run(server, 'hanime', page);

    expect(refused).toMatchObject({ status: told.status, body: { detail: told.detail } });
    expect(upstream.callsTo('GET /v1/hanime*')).toHaveLength(1);
  });

  test('that never answers times out', async () => {
    const { upstream, server } = await startWithUpstream(impatienceMs);
    upstream.fail('GET /v1/hanime*', 'hang');

    expect(await run(server, 'hanime', page)).toMatchObject({
      status: 504,
      body: { detail: 'The service took too long to answer. Please try again.' },
    });
  });

  test('that answers with a script instead of a link is refused', async () => {
    const { upstream, server } = await startWithUpstream();
    upstream.fail('GET /v1/anime/sfw*', { body: { result: 'javascript:alert(1)' } });

    expect((await run(server, 'anime-sfw')).status).toBe(502);
  });

  test('that limits requests says how long to wait', async () => {
    const { upstream, server } = await startWithUpstream();
    upstream.fail('GET /v1/hanime*', { status: 429, headers: { 'Retry-After': '7' } });

    const { status, headers, body } = await run(server, 'hanime', page);

    expect({ status, wait: headers.get('Retry-After') }).toEqual({ status: 429, wait: '7' });
    expect(body).toMatchObject({
      detail: expect.stringContaining('Please try again in 7 seconds'),
    });
  });

  test('that is down is reported as unavailable', async () => {
    const { upstream, server } = await startWithUpstream();
    await upstream.close();

    expect((await run(server, 'hanime', page)).status).toBe(503);
  });
});
