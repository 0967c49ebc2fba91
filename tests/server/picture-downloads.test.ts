/** The download call: pictures of this server, and those of listed hosts, as files. */
import { describe, expect, test } from 'vitest';

import { downloadMidjourney } from '#contract/endpoints/midjourney';
import { pictureLimits } from '#contract/images/limits';
import { hostName, startWithHost, startWithPictures } from '#tests/image-engines';
import { standInPicture } from '#tests/image-services';
import { withoutRecipe } from '#tests/pictures';
import { createTestServer } from '#tests/test-server';

const hour = 60 * 60_000;

const askFor = (url: string) =>
  `/backend/pixai/api/v1/midjourney/download?url=${encodeURIComponent(url)}`;

describe('a picture of this server', () => {
  test('is sent as a file with a name, so that no browser displays it as a page', async () => {
    const { server, link } = await startWithPictures();

    const response = await server.app.request(askFor(link));

    expect(response.status).toBe(200);
    expect(withoutRecipe(await response.arrayBuffer())).toEqual(standInPicture);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': expect.stringMatching(/^attachment; filename="nori-[\w-]+\.png"$/),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  test('is found with and without the address of the server', async () => {
    const { server, link } = await startWithPictures();
    const { server: named, link: absolute } = await startWithPictures({
      PUBLIC_URL: 'https://nori.example.org',
    });

    expect((await server.app.request(askFor(`http://localhost${link}`))).status).toBe(200);
    expect(absolute).toMatch(/^https:\/\/nori\.example\.org\/backend\/media\//);
    expect((await named.app.request(askFor(absolute))).status).toBe(200);
  });

  test('can be read by Telegram’s download, but not by other pages', async () => {
    const { server, link } = await startWithPictures();
    const getOrigin = async (Origin: string) =>
      (await server.app.request(askFor(link), { headers: { Origin } })).headers.get(
        'Access-Control-Allow-Origin',
      );

    expect(await getOrigin('https://web.telegram.org')).toBe('https://web.telegram.org');
    expect(await getOrigin('https://evil.example')).toBeNull();
  });

  test.each([
    ['the signature is wrong', (link: string) => link.replace(/signature=.{4}/, 'signature=AAAA')],
    ['there is no signature', (link: string) => link.split('?')[0] ?? ''],
    ['it is the link of another picture', (link: string) => link.replace(/media\/./, 'media/Z')],
  ])('is refused when %s', async (_case, change) => {
    const { server, link } = await startWithPictures();

    expect(await server.call(downloadMidjourney, { url: change(link) })).toMatchObject({
      status: 403,
      body: { code: 'link_expired' },
    });
  });

  test('is refused for an expired link', async () => {
    const { server, link } = await startWithPictures();
    server.wait(49 * hour);

    expect((await server.call(downloadMidjourney, { url: link })).status).toBe(403);
  });

  test('is refused under the name of another host', async () => {
    const { server, link } = await startWithPictures();

    expect(
      await server.call(downloadMidjourney, { url: `https://evil.example${link}` }),
    ).toMatchObject({ status: 403, body: { code: 'download_refused' } });
  });
});

describe('a picture of a listed host', () => {
  test('is sent as a file, and the host learns nothing about the user', async () => {
    const { server, host, origin, lookups } = await startWithHost();
    const token = await server.signUp(1);

    const response = await server.app.request(askFor(`${origin}/a/b.png?x=1`), {
      headers: { Authorization: `Bearer ${token}`, Cookie: 'a=b', Range: 'bytes=0-1' },
    });

    expect(Buffer.from(await response.arrayBuffer()).equals(standInPicture)).toBe(true);
    expect(response.headers.get('Content-Disposition')).toMatch(/^attachment; filename="nori-/);
    // The connection goes to the address that was looked up: the name resolves to no other.
    expect(lookups).toEqual([hostName]);
    expect(host.calls.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /a/b.png?x=1']);
    expect(Object.keys(host.calls[0]?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
    expect(host.calls[0]?.headers['user-agent']).toBe('Mozilla/5.0 (compatible; Nori)');
  });

  test.each([
    ['it is gone', { status: 404, body: {} }, 410, 'picture_gone'],
    ['it may not be seen', { status: 403, body: {} }, 410, 'picture_gone'],
    ['the host is broken', { status: 500, body: {} }, 503, 'image_service_unavailable'],
    ['the connection breaks', 'reset', 503, 'image_service_unavailable'],
    ['the host never answers', 'hang', 503, 'image_service_unavailable'],
    ['it is a page', 'page', 502, 'picture_broken'],
    [
      'it only calls itself a picture',
      { headers: { 'Content-Type': 'image/png' }, body: '<script>alert(1)</script>' },
      502,
      'picture_broken',
    ],
    [
      'it is a drawing with scripts',
      { headers: { 'Content-Type': 'image/svg+xml' }, body: '<svg onload="alert(1)"/>' },
      502,
      'picture_broken',
    ],
    [
      'it calls itself a page',
      { headers: { 'Content-Type': 'text/html' }, body: standInPicture },
      502,
      'picture_broken',
    ],
    [
      'it is larger than pictures are',
      { headers: { 'Content-Type': 'image/png' }, body: Buffer.alloc(pictureLimits.bytes + 1) },
      413,
      'picture_too_large',
    ],
  ] as const)('is refused in our own words when %s', async (...[, failure, status, code]) => {
    const { host, origin, download } = await startWithHost({
      serviceTimeoutMs: failure === 'hang' ? 300 : 20_000,
    });
    host.fail('GET /a.png', failure);

    expect(await download(`${origin}/a.png`)).toMatchObject({ status, body: { code } });
  });

  test('is refused when looking up its name takes too long', async () => {
    const server = await createTestServer({
      variables: { DOWNLOAD_ORIGINS: 'https://cdn.example.org' },
      serviceTimeoutMs: 100,
      network: { lookup: () => new Promise(() => undefined), isAllowed: () => true },
    });

    expect(
      await server.call(downloadMidjourney, { url: 'https://cdn.example.org/a.png' }),
    ).toMatchObject({ status: 503, body: { code: 'image_service_unavailable' } });
  });

  test('is refused when its name cannot be resolved', async () => {
    const server = await createTestServer({
      variables: { DOWNLOAD_ORIGINS: 'https://cdn.example.org' },
      network: {
        lookup: () => Promise.reject(new Error('ENOTFOUND')),
        isAllowed: () => true,
      },
    });

    expect(
      await server.call(downloadMidjourney, { url: 'https://cdn.example.org/a.png' }),
    ).toMatchObject({ status: 503, body: { code: 'image_service_unavailable' } });
  });

  test.each(['http://127.0.0.1:80/', 'http://169.254.169.254/latest', '/elsewhere.png'])(
    'is not requested at %s, to which the host redirects',
    async (Location) => {
      const { host, origin, download } = await startWithHost();
      host.fail('GET /a.png', { status: 302, headers: { Location } });

      expect(await download(`${origin}/a.png`)).toMatchObject({
        status: 502,
        body: { code: 'picture_broken' },
      });
      expect(host.calls).toHaveLength(1);
    },
  );

  test('is limited in number', async () => {
    const { origin, download } = await startWithHost({
      variables: { ADDRESS_LIMIT_FACTOR: '0.001' },
    });

    await download(`${origin}/a.png`);

    expect(await download(`${origin}/a.png`)).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
  });
});
