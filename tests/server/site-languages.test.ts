/** Which language an address opens in: the server's part, the page's, and both together. */
import { Window } from 'happy-dom';
import { beforeAll, describe, expect, test } from 'vitest';

import { type Language, languageFrom, languagePath, languagePrefix } from '#contract/languages';
import { languageScript } from '#scripts/early-language.ts';
import { type StaticSite } from '#server/http/static-site';
import { type Device, runLanguageScript, siteInLanguages } from '#tests/many-languages';
import { createTestServer } from '#tests/test-server';

const offered = ['en', 'ru', 'ar', 'pt-BR', 'uz'] as const satisfies readonly Language[];
const publicUrl = 'https://nori.example.org';

let site: StaticSite;
let server: Awaited<ReturnType<typeof createTestServer>>;
beforeAll(async () => {
  site = await siteInLanguages(offered, publicUrl);
  server = await createTestServer({ site, variables: { PUBLIC_URL: publicUrl } });
  return server.close;
});

const request = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.app.request(path, { method, headers });

/** The page's title, or where the answer leads. */
async function answerTo(path: string, headers?: Record<string, string>) {
  const answer = await request(path, headers);
  const title = /<title>(.*)<\/title>/.exec(await answer.text())?.[1];
  return answer.headers.get('Location') ?? `${answer.status} ${title}`;
}

describe('the server', () => {
  test.each([
    // Address, cookie, Accept-Language, answer.
    ['/', undefined, undefined, '200 en: Home'],
    ['/', undefined, 'en-GB,en;q=0.9', '200 en: Home'],
    ['/', undefined, 'ru-RU,ru;q=0.9,en;q=0.8', '/ru'],
    ['/login', undefined, 'ru', '/ru/login'],
    ['/login?step=verify&a=%2F', undefined, 'ru', '/ru/login?step=verify&a=%2F'],
    ['/login', undefined, 'pt-PT', '/pt-br/login'],
    ['/login', undefined, 'en;q=0.5,ar;q=0.8', '/ar/login'],
    // Ours, but not of this build; and none of ours.
    ['/login', undefined, 'de,ru;q=0.5', '/ru/login'],
    ['/login', undefined, 'de', '200 en: Login'],
    ['/login', undefined, 'ja,*;q=0.5', '200 en: Login'],
    ['/login', undefined, 'uz-Cyrl', '200 en: Login'],
    ['/login', undefined, ';;;,q=,ru;q=0', '200 en: Login'],
    // A choice comes before the browser.
    ['/login', 'ar', 'ru', '/ar/login'],
    ['/login', 'en', 'ru', '200 en: Login'],
    ['/login', 'pt-BR', 'ru', '/pt-br/login'],
    ['/login', 'de', 'ru', '/ru/login'],
    ['/login', '//evil.example', undefined, '200 en: Login'],
    // A prefix comes before both.
    ['/ru/login', 'ar', 'en', '200 ru: Login'],
    ['/ru', 'en', undefined, '200 ru: Home'],
    ['/pt-br/login', undefined, undefined, '200 pt-BR: Login'],
    ['/ru/login?lang=ar', undefined, undefined, '200 ru: Login'],
    // `lang` stands for a choice, and keeps English where it is empty.
    ['/login?lang=ar', 'ru', 'ru', '/ar/login?lang=ar'],
    ['/login?lang=en', 'ru', 'ru', '200 en: Login'],
    ['/login?lang=', 'ru', 'ru', '200 en: Login'],
    ['/login?lang=xx', 'ru', 'ru', '200 en: Login'],
    // What is no address of ours leads to one.
    ['/RU/login', undefined, undefined, '/ru/login'],
    ['/pt-BR', undefined, undefined, '/pt-br'],
    ['/en/login?a=1', undefined, undefined, '/login?a=1'],
    ['/de/login', undefined, 'ru', '/login'],
    ['/en//evil', undefined, undefined, '/evil'],
    ['/ru/', undefined, undefined, '/ru'],
    // Addresses without a page.
    ['/nowhere', undefined, undefined, '404 en: Not found'],
    ['/nowhere', undefined, 'ru', '/ru/nowhere'],
    ['/ru/nowhere', undefined, 'en', '404 ru: Not found'],
    ['/ruin', undefined, undefined, '404 en: Not found'],
  ])(
    '%s with the choice %s and the browser’s %s: %s',
    async (...[path, cookie, accepted, expected]) => {
      const headers = {
        ...(cookie === undefined ? {} : { Cookie: `other=1; language=${cookie}` }),
        ...(accepted === undefined ? {} : { 'Accept-Language': accepted }),
      };

      expect(await answerTo(path, headers)).toBe(expected);
    },
  );

  test('lets no cache keep where it led', async () => {
    const { status, headers } = await request('/login', { 'Accept-Language': 'ru' });

    expect(status).toBe(302);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('Vary')).toBe('Accept-Language, Cookie');
  });

  test('keeps the caching of a page that it does not lead away from', async () => {
    const first = await request('/login', { 'Accept-Language': 'en' });
    const etag = first.headers.get('ETag') ?? '';

    const again = await request('/login', { 'Accept-Language': 'en', 'If-None-Match': etag });

    expect(first.headers.get('Vary')).toBe('Accept-Encoding');
    expect(again.status).toBe(304);
    const other = await request('/login', { 'Accept-Language': 'ru', 'If-None-Match': etag });
    expect(other.status).toBe(302);
  });

  test.each(['/assets/app-1.js', '/robots.txt', '/sitemap.xml', '/backend/health'])(
    'leads away from no file: %s',
    async (path) => {
      const { status } = await request(path, { 'Accept-Language': 'ru', Cookie: 'language=ru' });

      expect(status).toBe(200);
    },
  );

  test('leads away a question about a page, too, and nothing that is sent to one', async () => {
    const headers = { 'Accept-Language': 'ru' };

    expect((await request('/login', headers, 'HEAD')).status).toBe(302);
    expect((await request('/login', headers, 'POST')).status).toBe(404);
  });

  test('of a site in English alone leads nowhere', async () => {
    const english = await createTestServer({ site: await siteInLanguages(['en']) });
    const headers = { 'Accept-Language': 'ru', Cookie: 'language=ru' };

    const answer = await english.app.request('/login', { headers });

    expect(answer.status).toBe(200);
    await english.close();
  });
});

describe('the sitemap', () => {
  const sitemapNames = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  const xhtmlNames = 'http://www.w3.org/1999/xhtml';

  test('names each page in each language, and its translations', async () => {
    const text = await (await request('/sitemap.xml')).text();

    const urls = [...text.matchAll(/<url><loc>([^<]*)<\/loc>(.*)<\/url>/g)];
    expect(urls).toHaveLength(offered.length * 2);
    const [, , links = ''] = urls.find(([, loc]) => loc === `${publicUrl}/ru/login`) ?? [];
    const alternates = [...links.matchAll(/hreflang="([^"]*)" href="([^"]*)"\/>/g)];
    expect(Object.fromEntries(alternates.map(([, tag, href]) => [tag, href]))).toEqual({
      en: `${publicUrl}/login`,
      'x-default': `${publicUrl}/login`,
      ru: `${publicUrl}/ru/login`,
      ar: `${publicUrl}/ar/login`,
      'pt-BR': `${publicUrl}/pt-br/login`,
      uz: `${publicUrl}/uz/login`,
    });
    expect(text).toContain('xmlns:xhtml="http://www.w3.org/1999/xhtml"');
  });

  test('keeps the rules of sitemaps.org and of hreflang', async () => {
    const answer = await request('/sitemap.xml');
    const { DOMParser } = new Window();
    const document = new DOMParser().parseFromString(await answer.text(), 'application/xml');
    const urls = [...document.documentElement.children];
    const partsIn = (url: (typeof urls)[number], namespace: string, name: string) =>
      [...url.children].filter(
        ({ namespaceURI, localName }) => namespaceURI === namespace && localName === name,
      );
    const toAlternates = (url: (typeof urls)[number]) =>
      partsIn(url, xhtmlNames, 'link').map((link) => {
        expect(link.getAttribute('rel')).toBe('alternate');
        return [link.getAttribute('hreflang') ?? '', link.getAttribute('href') ?? ''] as const;
      });
    const byAddress = new Map(
      urls.map((url) => [
        partsIn(url, sitemapNames, 'loc')[0]?.textContent ?? '',
        toAlternates(url),
      ]),
    );

    expect(document.querySelector('parsererror')).toBeNull();
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/xml/);
    expect(document.documentElement.localName).toBe('urlset');
    expect(document.documentElement.namespaceURI).toBe(sitemapNames);
    // Each address once.
    expect(byAddress.size).toBe(urls.length);
    for (const [address, alternates] of byAddress) {
      const tags = alternates.map(([tag]) => tag);
      expect(tags.toSorted()).toEqual([...offered, 'x-default'].toSorted());
      // It names itself, and whatever it names is listed and names the same.
      expect(alternates.map(([, href]) => href)).toContain(address);
      for (const [, href = ''] of alternates) {
        expect(byAddress.get(href)).toEqual(alternates);
      }
    }
  });

  test('names a translated page by its own address', async () => {
    expect(await (await request('/ru/login')).text()).toContain(
      `<link rel="canonical" href="${publicUrl}/ru/login"><meta property="og:url" content="${publicUrl}/ru/login">`,
    );
    expect(await (await request('/ru')).text()).toContain(
      `<link rel="canonical" href="${publicUrl}/ru">`,
    );
  });
});

/** What Telegram appends, as often encoded as a client does it. */
function launch(code: string | undefined, times = 1, name = 'Mika'): string {
  const user = JSON.stringify({
    id: 1,
    first_name: name,
    ...(code === undefined ? {} : { language_code: code }),
    photo_url: 'https://t.me/i',
  });
  let data = `query_id=1&user=${encodeURIComponent(user)}&hash=abc`;
  for (let time = 0; time < times; time += 1) {
    data = encodeURIComponent(data);
  }
  return `#tgWebAppData=${data}&tgWebAppVersion=9.1`;
}

describe('the page', () => {
  type Row = readonly [
    address: string,
    telegram: string | undefined,
    stored: string | undefined,
    expected: string | undefined,
  ];
  const rows: readonly Row[] = [
    ['/', 'ru', undefined, '/ru'],
    ['/', 'RU-ru', undefined, '/ru'],
    ['/', 'pt-br', undefined, '/pt-br'],
    ['/', 'pt', undefined, '/pt-br'],
    ['/', 'en', undefined, undefined],
    ['/', 'de', undefined, undefined],
    ['/', 'uz-cyrl', undefined, undefined],
    ['/', undefined, undefined, undefined],
    ['/login?a=1', 'ru', undefined, '/ru/login?a=1'],
    ['/ar/login', 'ru', undefined, '/ru/login'],
    ['/ar', 'ru', undefined, '/ru'],
    ['/ar/', 'ru', undefined, '/ru'],
    // English says so to the server, which would lead back by the browser's language.
    ['/ar/login', 'en', undefined, '/login?lang='],
    ['/ar?a=1', 'en', undefined, '/?a=1&lang='],
    ['/ar/login', 'de', undefined, undefined],
    ['/ar/login', undefined, undefined, undefined],
    // Two slashes at the front would lead to another host.
    ['/ar//evil.example/x', 'en', undefined, '/evil.example/x?lang='],
    ['/ar///evil.example', 'ru', undefined, '/ru/evil.example'],
    ['/ar//', 'en', undefined, '/?lang='],
    ['/ar//evil.example?lang=en', undefined, undefined, '/evil.example?lang=en'],
    // A choice comes first, the one in the bot's link before the one that is stored.
    ['/', 'ru', 'ar', '/ar'],
    ['/ru', 'ru', 'en', '/?lang='],
    ['/', 'ru', 'en', undefined],
    ['/', 'ru', 'de', '/ru'],
    ['/ru?lang=ar', 'ru', undefined, '/ar?lang=ar'],
    ['/?lang=pt-BR', 'ru', 'ar', '/pt-br?lang=pt-BR'],
    ['/ru?lang=en', 'ru', 'ar', '/?lang=en'],
    ['/?lang=xx', 'ru', undefined, '/ru?lang=xx'],
  ];

  test.each(rows)('at %s, Telegram in %s, stored %s: %s', (...[path, code, stored, expected]) => {
    const local = new Map(stored === undefined ? [] : [['language', stored]]);
    const hash = launch(code);

    const { replaced, isHidden } = runLanguageScript(path + hash, offered, {
      local,
      isServed: true,
    });

    expect(replaced).toBe(expected === undefined ? undefined : expected + hash);
    expect(isHidden).toBe(expected !== undefined);
  });

  test.each([0, 1, 2])('reads launch data that is encoded %i more times', (times) => {
    const opened = (code: string, name?: string) =>
      runLanguageScript(`/${launch(code, times, name)}`, offered, { isServed: true }).replaced;

    expect(opened('ru')).toMatch(/^\/ru#/);
    expect(opened('en', '"language_code":"ru"')).toBeUndefined();
    expect(opened('en', 'language_code')).toBeUndefined();
  });

  test('knows the launch of before a reload', () => {
    const session = new Map([['nori_launch', launch('ru')]]);

    expect(runLanguageScript('/login', offered, { session, isServed: true }).replaced).toBe(
      '/ru/login',
    );
  });

  test('stores the choice of the bot’s link, and takes it from the address', () => {
    const local = new Map([['language', 'ru']]);
    const hash = launch('en');

    const { replaced, address } = runLanguageScript(`/ar/login?a=1&lang=ar${hash}`, offered, {
      local,
      isServed: true,
    });

    expect(replaced).toBeUndefined();
    expect(address).toBe(`/ar/login?a=1${hash}`);
    expect(local.get('language')).toBe('ar');
  });

  test('of the website leaves it to the server, and stores no choice of a link', () => {
    const local = new Map<string, string>();
    const device = { local, browser: ['ru'], isServed: true };

    expect(runLanguageScript('/login', offered, device).replaced).toBeUndefined();
    expect(runLanguageScript('/ru/login?lang=ar&b=2', offered, device)).toMatchObject({
      replaced: undefined,
      address: '/ru/login?b=2',
    });
    expect(local.size).toBe(0);
  });

  test.each([
    // Address, languages of the browser, stored, expected.
    ['/', ['ru-RU', 'en'], undefined, '/ru'],
    ['/login?a=1#b', ['ja', 'pt'], undefined, '/pt-br/login?a=1#b'],
    ['/login', ['ja'], undefined, undefined],
    ['/login', ['en-US', 'ru'], undefined, undefined],
    ['/login', ['ru'], 'ar', '/ar/login'],
    ['/login', ['ru'], 'en', undefined],
    ['/login?lang=', ['ru'], 'ru', undefined],
    ['/login?lang=en', ['ru'], undefined, undefined],
    ['/ar/login', ['ru'], 'en', undefined],
    ['/ar/', ['ru'], undefined, undefined],
  ] as const)(
    'of a static host, at %s in a browser of %s, stored %s: %s',
    (...[address, browser, stored, expected]) => {
      const local = new Map(stored === undefined ? [] : [['language', stored]]);

      const { replaced } = runLanguageScript(address, offered, { local, browser, isServed: false });

      expect(replaced).toBe(expected);
    },
  );

  test('has no script in a build of one language', () => {
    expect(languageScript(['en'], { isServed: true })).toBe('');
  });
});

test('a choice of a language stays on this host', () => {
  const choose = (language: Language) =>
    ['/', '', '/login', '/?a=1', '//evil.example', '///evil.example/x'].map((path) =>
      languagePath(language, path),
    );

  expect(choose('en')).toEqual(['/', '/', '/login', '/?a=1', '/evil.example', '/evil.example/x']);
  expect(choose('ru')).toEqual([
    '/ru',
    '/ru',
    '/ru/login',
    '/ru?a=1',
    '/ru/evil.example',
    '/ru/evil.example/x',
  ]);
});

/** All ways to take one value of each list. */
function combine<Lists extends readonly (readonly unknown[])[]>(
  ...lists: Lists
): { [Index in keyof Lists]: Lists[Index][number] }[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- One value of each list, in their order.
  return lists.reduce<unknown[][]>(
    (rows, list) => rows.flatMap((row) => list.map((value) => [...row, value])),
    [[]],
  ) as { [Index in keyof Lists]: Lists[Index][number] }[];
}

/** Opens an address as a browser does, with the server's answers and the page's script. */
async function open(
  first: string,
  { device, headers, isServed }: { device: Device; headers: Headers; isServed: boolean },
) {
  let address = first;
  let replaces = 0;
  for (let step = 0; step < 8; step += 1) {
    const { pathname, search, hash } = new URL(address, publicUrl);
    // A static host has the same pages, and leads nowhere.
    const answer = await request(pathname + search, isServed ? Object.fromEntries(headers) : {});
    const location = answer.headers.get('Location');
    if (location !== null) {
      address = location + hash;
      continue;
    }
    const page = runLanguageScript(address, offered, { ...device, isServed });
    if (page.replaced === undefined) {
      const html = await answer.text();
      return { language: /lang="([^"]*)"/.exec(html)?.[1], address: page.address, replaces };
    }
    replaces += 1;
    address = page.replaced;
  }
  return { language: 'none: it goes in circles', address, replaces };
}

type Case = {
  readonly prefix: string;
  /** Telegram's language; undefined outside Telegram. */
  readonly code: string | undefined;
  readonly stored: string | undefined;
  readonly browser: string | undefined;
  /** `lang` in the bot's link. */
  readonly link: string | undefined;
  readonly isBlocked: boolean;
  readonly isServed: boolean;
};

const toOffered = (tag: string | undefined) => {
  const language = languageFrom(tag);
  return offered.find((known) => known === language);
};

function toAddress({ prefix, code, link }: Case): string {
  const query = code === undefined || link === undefined ? '' : `?lang=${link}`;
  return `${prefix}/login${query}${code === undefined ? '#top' : launch(code)}`;
}

/** The rule, in a few words: what decides where. */
function decide({ prefix, code, stored, browser, link, isBlocked, isServed }: Case): Language {
  const choice = isBlocked ? undefined : toOffered(stored);
  const own = offered.find((tag) => languagePrefix(tag) === prefix) ?? 'en';
  const onWebsite = prefix === '' ? (choice ?? toOffered(browser) ?? 'en') : own;
  if (code === undefined) {
    return onWebsite;
  }
  // A static host leads nowhere by itself.
  const shown = isServed ? onWebsite : own;
  return toOffered(link) ?? choice ?? toOffered(code) ?? shown;
}

function toDevice({ stored, browser, isBlocked }: Case): Device & { headers: Headers } {
  const cookie = stored === undefined || isBlocked ? '' : `language=${stored}`;
  const headers = new Headers(cookie === '' ? {} : { Cookie: cookie });
  if (browser !== undefined) {
    headers.set('Accept-Language', browser);
  }
  const local = new Map(stored === undefined ? [] : [['language', stored]]);
  return { isBlocked, local, browser: browser === undefined ? [] : [browser], cookie, headers };
}

test('whatever is chosen, stored and blocked, an address opens in the right language, and a page leads on at most once', async () => {
  const tags = [undefined, 'en', 'ru', 'ar', 'de'];
  const rows = combine(
    ['', '/ru', '/ar', '/pt-br'],
    tags,
    tags,
    [undefined, 'en', 'ru', 'de'],
    [undefined, 'ar'],
    [true, false],
    [true, false],
  );
  const failures: unknown[] = [];
  for (const [prefix, code, stored, browser, link, isBlocked, isServed] of rows) {
    const row: Case = { prefix, code, stored, browser, link, isBlocked, isServed };
    const address = toAddress(row);
    const { headers, ...device } = toDevice(row);

    const opened = await open(address, { device, headers, isServed });

    const language = decide(row);
    const { hash } = new URL(address, publicUrl);
    const expected = { language, address: `${languagePrefix(language)}/login${hash}` };
    const isRight = opened.language === language && opened.address === expected.address;
    if (!isRight || opened.replaces > 1) {
      failures.push({ ...row, opened, expected });
    }
  }
  expect(failures).toEqual([]);
});
