/** Security headers: what a page may load, and which origins may frame it or call the API. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { login, readMe } from '#contract/endpoints/session';
import { loadStaticSite, type StaticSite } from '#server/http/static-site';
import { createTestServer } from '#tests/test-server';

const inlineScript = `document.documentElement.dataset.theme = 'dark';`;
const inlineStyle = 'body { color: red }';
const hashSource = (text: string) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

let folder: string;
let site: StaticSite;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nori-headers-'));
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><script>${inlineScript}</script><style>${inlineStyle}</style>
     <script type="module" crossorigin src="/assets/a.js"></script>`,
  );
  await writeFile(join(folder, '404.html'), '<!doctype html><title>Not found</title>');
  site = (await loadStaticSite(folder)) ?? new Map();
});
afterAll(() => rm(folder, { recursive: true }));

test('a page loads only code of its own, inline code included, and Telegram may frame it', async () => {
  const server = await createTestServer({ site });

  const { headers } = await server.request('/');

  expect(headers.get('Content-Security-Policy')).toBe(
    [
      "default-src 'none'",
      `script-src 'self' ${hashSource(inlineScript)}`,
      `style-src 'self' ${hashSource(inlineStyle)}`,
      "img-src 'self' data: blob: https:",
      "media-src 'self' blob: https:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "object-src 'none'",
      "frame-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'self' https://web.telegram.org https://webk.telegram.org https://weba.telegram.org https://webz.telegram.org",
      "require-trusted-types-for 'script'",
      'trusted-types nori-entry nori-worker nori-offline',
      'report-to csp',
      'report-uri /backend/reports',
    ].join('; '),
  );
  expect(headers.get('Reporting-Endpoints')).toBe('csp="/backend/reports"');
  expect(headers.get('X-Frame-Options')).toBeNull();
});

test.each(['spotify-auth', 'anilist-auth', 'de/spotify-auth', 'pt-br/anilist-auth'])(
  'no page, and not Telegram either, may frame /%s, which links an account without being asked',
  async (path) => {
    const returns = await mkdtemp(join(tmpdir(), 'nori-headers-'));
    await mkdir(join(returns, path), { recursive: true });
    for (const page of [path, join(path, '..')]) {
      await writeFile(join(returns, page, 'index.html'), '<!doctype html><title>Linking</title>');
    }
    const pages = (await loadStaticSite(returns)) ?? new Map();
    await rm(returns, { recursive: true });
    const server = await createTestServer({ site: pages });

    const { status, headers } = await server.request(`/${path}`);

    expect(status).toBe(200);
    expect(headers.get('Content-Security-Policy')).toContain("; frame-ancestors 'none';");
    expect(headers.get('Content-Security-Policy')).not.toContain('telegram');
  },
);

test('the "not found" page has the same headers as other pages', async () => {
  const server = await createTestServer({ site });

  const { status, headers } = await server.request('/nowhere');

  expect(status).toBe(404);
  expect(headers.get('Content-Security-Policy')).toContain("script-src 'self';");
});

test('answers of the API may not be framed or cached', async () => {
  const server = await createTestServer({ site });

  const withSession = ['/backend/auth/me', '/backend/chats', '/backend/auth/sessions'];
  for (const path of ['/backend/health', '/backend/nowhere', '/backend/reports', ...withSession]) {
    const { headers } = await server.request(path);
    expect(headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('Cache-Control')).toBe('no-store');
  }
});

test('every answer, successful or not, has the general headers', async () => {
  const server = await createTestServer({
    site,
    variables: {
      PUBLIC_URL: 'https://nori.example.org',
      SECURITY_CONTACT: 'https://example.org/security',
    },
  });
  const pages = ['/', '/nowhere', '/lost.js', '/login/'];
  const files = ['/robots.txt', '/sitemap.xml', '/.well-known/security.txt'];
  const calls = ['/backend/health', '/backend/auth/me', '/backend/nowhere', '/backend/media/1/2'];
  const open = ['/public-api/openapi.json', '/public-api/telegram_bot/usage', '/public-api/no'];
  const paths = [...pages, ...files, ...calls, ...open, '/backend/jav/1/stream?token=x'];

  for (const path of paths) {
    const { headers } = await server.request(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
    expect(headers.get('Server')).toBeNull();
    expect(headers.get('X-Powered-By')).toBeNull();
  }
});

test('a server without HTTPS sends no HSTS header', async () => {
  const server = await createTestServer({ variables: { PUBLIC_URL: 'http://localhost:8080' } });

  const { headers } = await server.request('/backend/health');

  expect(headers.get('Strict-Transport-Security')).toBeNull();
});

const friend = 'https://app.example.org';

test('pages of a listed origin may call the API, without cookies', async () => {
  const server = await createTestServer({ variables: { CORS_ORIGINS: friend } });

  const asked = await server.app.request('/backend/login', {
    method: 'OPTIONS',
    headers: {
      Origin: friend,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    },
  });
  const called = await server.call(readMe, {}, { headers: { Origin: friend } });

  expect(asked.status).toBe(204);
  expect(asked.headers.get('Access-Control-Allow-Origin')).toBe(friend);
  expect(asked.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
  expect(called.status).toBe(401);
  expect(called.headers.get('Access-Control-Allow-Origin')).toBe(friend);
  expect(called.headers.get('Access-Control-Expose-Headers')).toContain('Retry-After');
  expect(called.headers.get('Vary')).toContain('Origin');
  expect(called.headers.get('Access-Control-Allow-Credentials')).toBeNull();
});

test.each(['https://evil.example', 'null', `${friend}.evil.example`, 'http://app.example.org'])(
  'pages of %s may not',
  async (origin) => {
    const server = await createTestServer({ variables: { CORS_ORIGINS: friend } });

    const asked = await server.app.request('/backend/login', {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });
    const called = await server.call(
      login,
      { telegram_id: '1', password: 'x' },
      { headers: { Origin: origin } },
    );

    expect(asked.headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect(called.headers.get('Access-Control-Allow-Origin')).toBeNull();
  },
);

test('a missing file is refused with the headers of every other answer', async () => {
  const server = await createTestServer({ site });

  const { status, headers } = await server.request('/nope.js');

  expect(status).toBe(404);
  expect(headers.get('Content-Security-Policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
});
