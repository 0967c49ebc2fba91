/** The styles of Kusa: built in, or those of another server. */
import sharp from 'sharp';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { listKusaStyles } from '#contract/endpoints/kusa';
import { timeoutFor, startStandIn } from '#tests/stand-in';
import { createMemoryStore, createTestServer, type TestServer } from '#tests/test-server';

const minute = 60_000;
const ink = { id: 7, name: 'ink', og_name: 'Ink Wash', image_url: '/pictures/ink.webp' };

async function readStyles(server: TestServer) {
  const { body } = await server.call(listKusaStyles, {});
  return v.parse(listKusaStyles.output, body).styles.styles;
}

async function startWithStyles(
  answer: unknown = { styles: { styles: [ink] } },
  serviceTimeoutMs = 20_000,
) {
  const service = await startStandIn(() => ({ body: answer }));
  const server = await createTestServer({
    variables: { KUSA_STYLES_URL: `${service.url}/kusa/styles`, KUSA_API_KEY: 'kusa-key' },
    serviceTimeoutMs,
  });
  return { server, service };
}

describe('built-in styles', () => {
  test('are at least forty, each with an ID, a name and an original name of its own', async () => {
    const styles = await readStyles(await createTestServer());

    expect(styles.length).toBeGreaterThanOrEqual(40);
    for (const field of ['id', 'name', 'og_name', 'image_url'] as const) {
      expect(new Set(styles.map((style) => style[field])).size).toBe(styles.length);
    }
  });

  test('are sent as the specification says', async () => {
    const server = await createTestServer();

    const { body } = await server.call(listKusaStyles, {});

    expect(body).toMatchObject({
      styles: {
        styles: expect.arrayContaining([
          {
            id: '1',
            name: 'ink-wash',
            og_name: 'Ink Wash',
            image_url: '/backend/media/kusa/v2/1.webp',
            width: 480,
            height: 640,
          },
        ]),
      },
    });
  });

  test('have pictures that visitors can see, of the documented size, painted once', async () => {
    const objects = createMemoryStore();
    const server = await createTestServer({ objects });
    const [style] = await readStyles(server);
    const url = style?.image_url ?? '';

    const responses = await Promise.all([1, 2, 3].map(async () => server.app.request(url)));
    const files = await Promise.all(
      responses.map(async (response) => Buffer.from(await response.arrayBuffer())),
    );
    const { format, width, height } = await sharp(files[0]).metadata();

    expect(responses[0]?.headers.get('Content-Type')).toBe('image/webp');
    expect(responses[0]?.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect({ format, width, height }).toMatchObject({
      format: 'webp',
      width: style?.['width'],
      height: style?.['height'],
    });
    expect(files.every((file) => file.equals(files[0] ?? Buffer.alloc(0)))).toBe(true);
    expect(objects.names()).toEqual(['1-v2-style']);
  });

  test('have pictures that all differ', async () => {
    const server = await createTestServer();
    const styles = await readStyles(server);

    const files = await Promise.all(
      styles.slice(0, 8).map(async ({ image_url }) => {
        const response = await server.app.request(image_url ?? '');
        return Buffer.from(await response.arrayBuffer()).toString('base64');
      }),
    );

    expect(new Set(files).size).toBe(8);
  });

  test.each(['v2/0.webp', 'v2/9999.webp', 'v0/1.webp', 'v2/1.png', 'v2/..%2F1.webp'])(
    'have no picture at %s',
    async (path) => {
      const server = await createTestServer();

      expect((await server.app.request(`/backend/media/kusa/${path}`)).status).toBe(404);
    },
  );
});

describe('styles of another server', () => {
  test('are requested with the key, and have absolute addresses', async () => {
    const { server, service } = await startWithStyles();

    expect(await readStyles(server)).toEqual([
      { id: '7', name: 'ink', og_name: 'Ink Wash', image_url: `${service.url}/pictures/ink.webp` },
    ]);
    expect(service.calls[0]?.headers['x-api-key']).toBe('kusa-key');
  });

  test('are requested once for parallel requests, and again after ten minutes', async () => {
    const { server, service } = await startWithStyles();

    await Promise.all([1, 2, 3, 4].map(() => readStyles(server)));
    server.wait(9 * minute);
    await readStyles(server);
    const before = service.calls.length;
    server.wait(2 * minute);
    await readStyles(server);

    expect(before).toBe(1);
    expect(service.calls).toHaveLength(2);
  });

  test.each([
    ['as a bare list', [ink], 1],
    ['with one level less', { styles: [ink] }, 1],
    ['among invalid items', { styles: { styles: [ink, null, 'x', { name: 'y' }] } }, 1],
    ['as an empty list', { styles: { styles: [] } }, 0],
  ])('are understood %s', async (_case, answer, count) => {
    const { server } = await startWithStyles(answer);

    expect(await readStyles(server)).toHaveLength(count);
  });

  test('have no picture when there is no valid address of one', async () => {
    const { server } = await startWithStyles([
      { id: 1, image_url: 'javascript:alert(1)' },
      { id: 2 },
      { id: 3, image_url: 'http://' },
    ]);

    expect((await readStyles(server)).map(({ image_url }) => image_url)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['it is broken', { status: 500, body: {} }],
    ['it refuses the key', { status: 403, body: { detail: 'kusa-key' } }],
    ['it leads elsewhere', { status: 302, headers: { Location: 'http://127.0.0.1/' } }],
    ['the connection breaks', 'reset'],
    ['it never answers', 'hang'],
    ['it answers a page', 'page'],
    ['it answers something else', { body: { hello: 'there' } }],
  ] as const)(
    'are unavailable when %s: an error is shown, and the next request tries again',
    async (_case, failure) => {
      const { server, service } = await startWithStyles(undefined, timeoutFor(failure));
      service.fail('GET /kusa/styles', failure);

      const refused = await server.call(listKusaStyles, {});
      const later = await readStyles(server);

      expect(refused).toMatchObject({
        status: 503,
        body: {
          code: 'service_unavailable',
          detail: 'The service does not answer right now. Please try again in a moment.',
        },
      });
      expect(later).toHaveLength(1);
      expect(server.logLines.join('')).not.toContain('kusa-key');
    },
  );

  test('are shown from memory when the server is down later', async () => {
    const { server, service } = await startWithStyles();
    await readStyles(server);
    server.wait(11 * minute);
    service.fail('GET /kusa/styles', 'reset');

    expect(await readStyles(server)).toHaveLength(1);
    expect(service.calls).toHaveLength(2);
  });
});
