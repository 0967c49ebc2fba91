/** What operators and finders of weaknesses rely on: security.txt, and what browsers report about pages. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { limits } from '#server/lib/limits';
import { createTestServer, minute, type TestServer } from '#tests/test-server';

describe('security.txt', () => {
  const path = '/.well-known/security.txt';

  test('names where to report, until when, and its own address', async () => {
    const server = await createTestServer({
      variables: {
        SECURITY_CONTACT: 'mailto:security@example.org',
        PUBLIC_URL: 'https://nori.example.org',
      },
    });

    const { status, headers, body } = await server.request(path);

    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toMatch(/^text\/plain; ?charset=utf-8$/i);
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    const [contact, expires = '', ...rest] = String(body).split('\n');
    expect(contact).toBe('Contact: mailto:security@example.org');
    expect(rest).toEqual([
      'Preferred-Languages: en',
      'Canonical: https://nori.example.org/.well-known/security.txt',
      '',
    ]);
    const days = (Date.parse(expires.replace('Expires: ', '')) - server.now()) / (1440 * minute);
    expect(expires).toMatch(/^Expires: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
    expect(days).toBeGreaterThan(30);
    expect(days).toBeLessThan(365);
  });

  test('is there only when the operator says where to report', async () => {
    const server = await createTestServer();

    expect(await server.request(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('reports of browsers', () => {
  const secret = 'https://evil.example/steal?token=hunter2#x';
  const send = (server: TestServer, report: unknown, type = 'application/reports+json') =>
    server.request('/backend/reports', {
      method: 'POST',
      headers: { 'Content-Type': type, 'User-Agent': 'a browser' },
      body: typeof report === 'string' ? report : JSON.stringify(report),
    });
  const readDetails = ({ securityLines }: TestServer) =>
    securityLines
      .map((line) => v.parse(v.object({ event: v.string(), detail: v.string() }), JSON.parse(line)))
      .map(({ event, detail }) => `${event}: ${detail}`);

  test('leave the directive and the host that was blocked, and nothing else of the page', async () => {
    const server = await createTestServer({ variables: { LOG_LEVEL: 'silent' } });
    const report = (effectiveDirective: string, blockedURL: string) => ({
      type: 'csp-violation',
      url: 'https://nori.example.org/reset-password?code=123456',
      body: {
        documentURL: 'https://nori.example.org/reset-password?code=123456',
        effectiveDirective,
        blockedURL,
        sample: 'my password is hunter2',
      },
    });

    const reply = await send(server, [
      report('connect-src', secret),
      report('connect-src', secret),
      report('script-src-elem', 'inline'),
      report('require-trusted-types-for', 'trusted-types-sink'),
    ]);

    expect(reply.status).toBe(204);
    expect(readDetails(server)).toEqual([
      'policy_violation: connect-src evil.example',
      'policy_violation: script-src-elem inline',
      'policy_violation: require-trusted-types-for trusted-types-sink',
    ]);
    expect(server.securityLines.join('')).not.toMatch(/hunter2|123456|steal/);
    expect(server.logLines.join('')).not.toMatch(/hunter2|123456|steal/);
  });

  test('are also understood in the shape of browsers without Reporting-Endpoints', async () => {
    const server = await createTestServer();

    const reply = await send(
      server,
      { 'csp-report': { 'violated-directive': "img-src 'self'", 'blocked-uri': secret } },
      'application/csp-report',
    );

    expect(reply.status).toBe(204);
    expect(readDetails(server)).toEqual(['policy_violation: img-src evil.example']);
  });

  test.each([
    ['of other kinds', [{ type: 'deprecation', body: { id: 'x' } }]],
    ['that are none', 'null'],
    ['with a directive that is none', [{ body: { effectiveDirective: '\nforged line' } }]],
  ])('%s leave nothing', async (_case, report) => {
    const server = await createTestServer();

    expect((await send(server, report)).status).toBe(204);
    expect(server.securityLines).toEqual([]);
  });

  test.each([
    ['of another type', '{}', 'application/json', 415],
    ['that cannot be read', '{', 'application/reports+json', 400],
    ['of more than 16 KiB', JSON.stringify('x'.repeat(16 * 1024)), 'application/reports+json', 413],
  ])('%s are refused', async (...row) => {
    const [, report, type, status] = row;
    const server = await createTestServer();

    expect((await send(server, report, type)).status).toBe(status);
    expect(server.securityLines).toEqual([]);
  });

  test('cannot fill the log: a page has five lines, and an address sixty reports an hour', async () => {
    const server = await createTestServer();
    const many = Array.from({ length: 50 }, (_, index) => ({
      body: { effectiveDirective: 'img-src', blockedURL: `https://host${index}.example` },
    }));
    const statuses: number[] = [];

    for (let count = 0; count <= limits.addressReports.max; count += 1) {
      statuses.push((await send(server, many)).status);
    }

    expect(statuses.at(-2)).toBe(204);
    expect(statuses.at(-1)).toBe(429);
    expect(readDetails(server)).toHaveLength(5 * limits.addressReports.max);
  });
});
