/**
 * The public API as a page of any origin uses it: each entry of the table, without a key and
 * without a network.
 */
import sharp from 'sharp';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { publicEndpoints } from '#contract/playground/endpoints';
import { getAddress, entry, fileAt, pictureLinks, run, startPublicServer } from '#tests/public-api';
import { createTestServer } from '#tests/test-server';

const pictureIds = ['anime-sfw', 'anime-nsfw', 'anime-pixiv', 'anime-kemono'];

const downloads = publicEndpoints.filter(({ category }) => category === 'Downloaders');

describe('pictures', () => {
  test.each(pictureIds)('of %s are real, are labelled as examples, and differ', async (id) => {
    const server = await startPublicServer();

    const { status, body } = await run(server, id, { character: 'Totoro' });
    const again = await run(server, id, { character: 'Totoro' });

    expect(status).toBe(200);
    expect(body).toMatchObject({ is_demo: true, source: 'offline', character: 'Totoro' });
    const links = pictureLinks(body);
    expect(links).not.toEqual(pictureLinks(again.body));
    const { response, bytes } = await fileAt(server, links[0] ?? '');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('image/webp');
    const { width, height, format } = await sharp(bytes).metadata();
    expect({ width, height, format }).toEqual({ width: 512, height: 640, format: 'webp' });
    const { channels } = await sharp(bytes).stats();
    expect(Math.max(...channels.map(({ stdev }) => stdev))).toBeGreaterThan(5);
  });

  test('show the default character when no name is given', async () => {
    const server = await startPublicServer();

    expect((await run(server, 'anime-sfw')).body).toMatchObject({ character: 'Hatsune Miku' });
    expect((await run(server, 'anilist-waifu')).body).toMatchObject({
      waifu: { name: 'Mikasa Ackerman' },
    });
  });

  test('for adults are as harmless as all others, and do not show the query', async () => {
    const server = await startPublicServer();
    const [link = ''] = pictureLinks(
      (await run(server, 'anime-nsfw', { character: 'a character undressed' })).body,
    );

    const order = new URL(link).searchParams.get('order') ?? '';

    expect(Buffer.from(order, 'base64url').toString()).not.toContain('undressed');
  });

  test('have links that others cannot forge and that expire', async () => {
    const server = await startPublicServer();
    const [link = ''] = pictureLinks((await run(server, 'anime-sfw')).body);
    const forged = new URL(link);
    const order = Buffer.from(forged.searchParams.get('order') ?? '', 'base64url').toString();
    forged.searchParams.set(
      'order',
      Buffer.from(order.replace('512', '9000')).toString('base64url'),
    );

    expect((await fileAt(server, forged.href)).response.status).toBe(403);
    expect((await fileAt(server, link.replace(/\?.*/, ''))).response.status).toBe(403);
    server.wait(49 * 60 * 60 * 1000);
    expect((await fileAt(server, link)).response.status).toBe(403);
  });

  test('may be shown by every page, be cached, and be read in ranges', async () => {
    const server = await startPublicServer();
    const [link = ''] = pictureLinks((await run(server, 'anime-sfw')).body);

    const whole = await fileAt(server, link);
    const part = await fileAt(server, link, { headers: { Range: 'bytes=0-3' } });
    const head = await fileAt(server, link, { method: 'HEAD' });

    expect(whole.response.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    expect(whole.response.headers.get('Cache-Control')).toBe('public, max-age=86400, immutable');
    expect(part.response.status).toBe(206);
    expect(part.bytes).toEqual(whole.bytes.subarray(0, 4));
    expect(head.response.headers.get('Content-Length')).toBe(String(whole.bytes.length));
    expect(head.bytes).toHaveLength(0);
  });
});

describe('lists and look-ups without a source', () => {
  test('of films have pages, and a last page', async () => {
    const server = await startPublicServer();

    const second = v.parse(
      entry('hanime').answer,
      (await run(server, 'hanime', { page: '2' })).body,
    );
    const beyond = await run(server, 'hanime', { page: '500' });

    expect(second).toMatchObject({ page: 2, is_demo: true, source: 'offline' });
    expect(second['videos']).toHaveLength(12);
    expect(beyond.body).toMatchObject({ page: 500, videos: [] });
  });

  test.each([
    ['anilist-character', { character: 'Holo' }, { characters: [{ name: 'Holo' }] }],
    ['anilist-anime', { query: 'となりのトトロ' }, { anime: [{ title: 'となりのトトロ' }] }],
    ['anilist-waifu', { waifu: 'Holo' }, { waifu: { name: 'Holo' } }],
  ])('of %s are labelled as made up', async (id, values, answer) => {
    const server = await startPublicServer();

    const { status, body } = await run(server, id, values);

    expect(status).toBe(200);
    expect(body).toMatchObject({ ...answer, is_demo: true, source: 'offline' });
  });

  test.each(downloads)('of $id open no link and say so', async ({ id, examples }) => {
    const server = await startPublicServer();
    const values = examples[0]?.parameters ?? {};

    const { status, body } = await run(server, id, values);

    expect(status).toBe(200);
    expect(body).toMatchObject({ url: values['url'], is_demo: true, source: 'offline' });
    const { media } = v.parse(
      v.object({ media: v.tuple([v.object({ stream_url: v.string() })]) }),
      body,
    );
    const { bytes } = await fileAt(server, media[0].stream_url);
    expect((await sharp(bytes).metadata()).format).toBe('webp');
  });
});

describe('the input', () => {
  test.each([
    ['/hanime', 'page is required'],
    ['/hanime?page=', 'page is required'],
    ['/hanime?page=0', 'page must be a whole number from 1'],
    ['/hanime?page=two', 'page must be a whole number from 1'],
    ['/hanime?page=99999', 'page may have at most 4 characters'],
    ['/anilist/anime', 'query is required'],
    ['/anilist/anime?query=%20', 'query is required'],
    [`/anime/sfw?character=${'a'.repeat(101)}`, 'character may have at most 100 characters'],
    ['/tk', 'url is required'],
    ['/tk?url=hello', 'url must be a link that begins with https://'],
    ['/tk?url=javascript:alert(1)', 'url must be a link that begins with https://'],
    ['/tk?url=http://127.0.0.1/', 'url must be a link to tiktok.com'],
    ['/tk?url=https://nottiktok.com/1', 'url must be a link to tiktok.com'],
    ['/tts/synthesize?language=de', 'language must be one of en, ja, zh, ko'],
    ['/tts/synthesize?text=' + 'a'.repeat(301), 'text may have at most 300 characters'],
  ])('is checked: %s', async (path, detail) => {
    const server = await startPublicServer();

    const { status, body } = await server.request(`/public-api${path}`);

    expect(status).toBe(422);
    expect(body).toMatchObject({ detail });
  });

  test('may have unknown fields, which are ignored', async () => {
    const server = await startPublicServer();

    const { status, body } = await server.request('/public-api/hanime?page=1&colour=blue');

    expect(status).toBe(200);
    expect(body).not.toHaveProperty('colour');
  });

  test.each(['/public-api/anime', '/public-api/anime/other', '/public-api/files'])(
    'is refused at an unknown address: %s',
    async (path) => {
      const server = await startPublicServer();

      const { status, body } = await server.request(path);

      expect(status).toBe(404);
      expect(body).toMatchObject({ detail: 'There is nothing at this address.' });
    },
  );

  test('is accepted by GET only', async () => {
    const server = await startPublicServer();

    expect((await server.request(getAddress('anime-sfw'), { method: 'POST' })).status).toBe(404);
    expect((await server.request(getAddress('anime-sfw'), { method: 'HEAD' })).status).toBe(200);
  });
});

describe('the answer', () => {
  test('may be read by every page, without cookies, and may be cached when it rarely changes', async () => {
    const server = await startPublicServer();

    const { headers } = await server.request(getAddress('hanime', { page: '1' }), {
      headers: { Origin: 'https://other.example' },
    });

    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(headers.get('Cache-Control')).toBe('no-store');
    const voices = await run(server, 'tts-categories');
    expect(voices.headers.get('Cache-Control')).toBe('public, max-age=300');
    const refused = await run(server, 'tts-characters', { category: 'Nowhere' });
    expect(refused.headers.get('Cache-Control')).toBe('no-store');
  });

  test('an answer is a file with download=1, and a refusal is not', async () => {
    const server = await startPublicServer();
    const load = (address: string) => server.request(`/public-api${address}`);
    const disposition = 'Content-Disposition';

    const file = await load('/hanime?page=1&download=1');
    expect(file.headers.get(disposition)).toBe('attachment; filename="hanime.json"');
    expect(file.headers.get('Content-Type')).toContain('application/json');
    expect(file.body).toEqual((await load('/hanime?page=1')).body);

    expect((await load('/hanime?page=1')).headers.get(disposition)).toBeNull();
    expect((await load('/hanime?page=1&download=0')).headers.get(disposition)).toBeNull();
    expect((await load('/hanime?download=1')).headers.get(disposition)).toBeNull();
  });

  test('says how long to wait after too many calls from one address', async () => {
    const server = await startPublicServer({ ADDRESS_LIMIT_FACTOR: '0.025' });
    const loadPage = () => run(server, 'hanime', { page: '1' });

    const first = await Promise.all([loadPage(), loadPage(), loadPage()]);
    const refused = await loadPage();
    server.wait(60_000);

    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({
      detail: expect.stringContaining('Too many requests. Please try again in'),
    });
    expect((await loadPage()).status).toBe(200);
  });

  test('says how long to wait after too many files for one address', async () => {
    const server = await startPublicServer({ ADDRESS_LIMIT_FACTOR: '0.005' });
    const links = Array.from({ length: 4 }, () => '/public-api/files/picture');

    const replies = await Promise.all(links.map((link) => server.request(link)));

    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      403, 403, 403, 429,
    ]);
  });

  test('has links to the address that the caller used when the server has no address set', async () => {
    const server = await createTestServer();

    const response = await server.app.request('http://nori.local:8080/public-api/anime/sfw');

    const [link = ''] = pictureLinks(await response.json());
    expect(link.startsWith('http://nori.local:8080/public-api/files/picture?')).toBe(true);
  });
});
