/**
 * Addresses that the download call never requests: hosts that are not listed, and internal
 * addresses.
 */
import { describe, expect, test } from 'vitest';

import { downloadMidjourney } from '#contract/endpoints/midjourney';
import { isPublicAddress } from '#server/upstream/allowlisted-fetch';
import { startWithHost } from '#tests/image-engines';
import { createTestServer } from '#tests/test-server';

describe('a download is refused', () => {
  const hostile = [
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://localhost.:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://0.0.0.0:PORT/',
    'http://①②⑦.⓪.⓪.①:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://127.0.0.1.nip.io:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://metadata.google.internal/computeMetadata/v1/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.0.1/',
    '//127.0.0.1:PORT/',
    '\\\\127.0.0.1:PORT\\',
    '/\\127.0.0.1:PORT/',
    'http://cdn.example.org:PORT@127.0.0.1:PORT/',
    'http://ada:secret@cdn.example.org:PORT/a.png',
    'http://ada@cdn.example.org:PORT/a.png',
    'http://evil.example\\@cdn.example.org:PORT/a.png',
    'http://evil.example#@cdn.example.org:PORT/a.png',
    'http://evil.example?@cdn.example.org:PORT/a.png',
    'http://cdn.example.org.evil.example:PORT/a.png',
    'http://evil.example/http://cdn.example.org:PORT/a.png',
    'http://cdn.example.org.:PORT/a.png',
    'http://sub.cdn.example.org:PORT/a.png',
    'http://cdn.ex\u{430}mple.org:PORT/a.png',
    'http://cdn.example.org/a.png',
    'http://cdn.example.org:1/a.png',
    'https://cdn.example.org:PORT/a.png',
    'ftp://cdn.example.org:PORT/a.png',
    'ws://cdn.example.org:PORT/a.png',
    'file:///etc/passwd',
    'file://cdn.example.org/etc/passwd',
    'gopher://127.0.0.1:PORT/_GET%20/',
    'data:image/png;base64,iVBORw0KGgo=',
    'blob:http://cdn.example.org:PORT/1',
    'javascript:alert(1)',
    '\tjava\nscript:alert(1)',
    'view-source:http://cdn.example.org:PORT/',
    '/backend/auth/me',
    '/backend/media/../auth/me',
    '/backend/media/x/original/../../../auth/me',
    '/backend/media/..%2Fauth%2Fme/original',
    '/backend/media/covers/v2/17-thumbnail.webp',
    'http://',
    `http://cdn.example.org:PORT/${'a'.repeat(3000)}`,
  ];

  test.each(hostile)('for %s', async (pattern) => {
    const { host, port, lookups, download } = await startWithHost();

    const reply = await download(pattern.replaceAll('PORT', port));

    expect(reply).toMatchObject({
      status: 403,
      body: {
        code: 'download_refused',
        detail: 'Pictures from this address cannot be downloaded here.',
      },
    });
    // No request and no DNS lookup was made.
    expect(lookups).toEqual([]);
    expect(host.calls).toEqual([]);
  });

  test('for an empty address', async () => {
    const { server } = await startWithHost();

    expect((await server.call(downloadMidjourney, { url: '' })).status).toBe(422);
  });

  test('for any address while no host is listed', async () => {
    const server = await createTestServer();

    expect(
      await server.call(downloadMidjourney, { url: 'https://cdn.example.org/a.png' }),
    ).toMatchObject({ status: 403, body: { code: 'download_refused' } });
  });
});

describe('a listed name that resolves to an internal address', () => {
  const hidden = [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.31.255.255',
    '192.0.0.1',
    '192.168.1.1',
    '198.18.0.1',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'nowhere',
  ];

  test.each(hidden)('is refused: %s', async (address) => {
    const { host, origin, download } = await startWithHost({
      addresses: [address],
      isLocalAllowed: false,
    });

    expect(await download(`${origin}/a.png`)).toMatchObject({
      status: 403,
      body: { code: 'download_refused' },
    });
    expect(host.calls).toEqual([]);
  });

  test('is refused when only one of its addresses is internal', async () => {
    const { host, origin, download } = await startWithHost({
      addresses: ['127.0.0.1', '10.0.0.1'],
    });

    expect((await download(`${origin}/a.png`)).status).toBe(403);
    expect(host.calls).toEqual([]);
  });

  test('is refused without a look-up when it is an address itself', async () => {
    const { host, port, lookups, download } = await startWithHost({
      isLocalAllowed: false,
      variables: { DOWNLOAD_ORIGINS: 'http://127.0.0.1:1, http://[::1]' },
    });

    for (const url of ['http://127.0.0.1:1/', 'http://2130706433:1/', 'http://[::1]/', port]) {
      expect((await download(url)).status).toBe(403);
    }
    expect(lookups).toEqual([]);
    expect(host.calls).toEqual([]);
  });

  test('is accepted when only the second look-up is internal: the first one is used', async () => {
    const { lookups, host, origin, download } = await startWithHost();

    await download(`${origin}/a.png`);

    expect(lookups).toHaveLength(1);
    expect(host.calls).toHaveLength(1);
  });
});

test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001::1'])(
  '%s is a public address',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
