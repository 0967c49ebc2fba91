/** /wiki and /define: pages of Wikipedia and words of Wiktionary, and each way in which Wikimedia fails. */
import { describe, expect, test } from 'vitest';

import { limits } from '#server/lib/limits';
import { createReference } from '#server/services/reference';
import { ann, startGroup } from '#tests/command-group';
import { contact, startWikimedia } from '#tests/reference-servers';
import { timeoutFor } from '#tests/stand-in';
import { openTestLanguages } from '#tests/stand-in-languages';

const otter = {
  title: 'Otter',
  description: 'subfamily of mammals',
  extract: 'Otters are carnivorous mammals. 🦦',
};

const words = {
  otter: {
    en: [
      {
        partOfSpeech: 'Noun',
        language: 'English',
        definitions: [
          { definition: 'An <a href="/wiki/aquatic">aquatic</a> mammal &amp; swimmer.' },
          { definition: '<style>.x{}</style>' },
          { definition: 'Its fur.' },
        ],
      },
    ],
    de: [{ partOfSpeech: 'Noun', language: 'German', definitions: [{ definition: 'adder' }] }],
  },
};

async function startWiki(
  wikis: Parameters<typeof startWikimedia>[0] = {},
  options: Parameters<typeof startGroup>[0] = {},
) {
  const wiki = await startWikimedia({ pages: { en: [otter] }, words, ...wikis });
  const variables = { WIKIMEDIA_CONTACT: contact, WIKIMEDIA_ROOT: wiki.root };
  return { wiki, group: await startGroup({ variables, ...options }) };
}

const button = (text: string, url: string) => ({
  reply_markup: { inline_keyboard: [[{ text, url }]] },
});

test('a page is shown by its beginning, with its licence and its address', async () => {
  const { group, wiki } = await startWiki();
  await group.says(ann, '/wiki otter');
  expect(group.api.messages.at(-1)).toMatchObject({
    text: 'Otter\n\nOtters are carnivorous mammals. 🦦\n\nFrom Wikipedia, CC BY-SA 4.0',
    body: {
      entities: [{ type: 'bold', offset: 0, length: 5 }],
      ...button('Read on Wikipedia', 'https://en.wikipedia.org/wiki/Otter'),
    },
  });
  expect(wiki.calls.map(({ path }) => path.split('?')[0])).toEqual([
    '/en.wikipedia.org/w/rest.php/v1/search/title',
    '/en.wikipedia.org/api/rest_v1/page/summary/Otter',
  ]);
});

test('a search that is repeated asks for the page alone', async () => {
  const { group, wiki } = await startWiki();
  await group.says(ann, '/wiki otter');
  await group.says(ann, '/wiki OTTER');
  expect(wiki.callsTo('GET /en.wikipedia.org/w/*')).toHaveLength(1);
});

test('a name of several pages lists them', async () => {
  const mercury = {
    title: 'Mercury',
    type: 'disambiguation',
    extract: 'Mercury most commonly refers to:',
  } as const;
  const planet = { title: 'Mercury (planet)', description: 'first planet from the Sun' };
  const { group } = await startWiki({
    pages: { en: [mercury, planet, { title: 'Mercury (film)' }] },
  });
  await group.says(ann, '/wiki mercury');
  expect(group.lastText()).toBe(
    'Mercury\n\nMercury may be one of several pages:\n• Mercury (planet) – first planet from the Sun\n• Mercury (film)\n\nFrom Wikipedia, CC BY-SA 4.0',
  );
});

test('a long page is cut after a word', async () => {
  const { group } = await startWiki({
    pages: { en: [{ ...otter, extract: 'otter '.repeat(400) }] },
  });
  await group.says(ann, '/wiki otter');
  const [, body = ''] = group.lastText()?.split('\n\n') ?? [];
  expect(body.length).toBeLessThanOrEqual(1000);
  expect(body.endsWith('otter…')).toBe(true);
});

test('the language of the user decides which Wikipedia, and the English one helps out', async () => {
  const { group, wiki } = await startWiki(
    {
      pages: { en: [otter], pt: [{ title: 'Lontra', extract: 'Lontras são mamíferos.' }] },
    },
    { languages: openTestLanguages('locales') },
  );
  const from = { id: ann, is_bot: false, first_name: 'Ann', language_code: 'pt-br' };
  await group.writes('/wiki lontra', { chatId: ann, from: ann, fields: { from } });
  expect(group.lastText()).toContain('Lontras são mamíferos.');
  await group.writes('/wiki otter', { chatId: ann, from: ann, fields: { from } });
  expect(group.lastText()).toContain('Otters are carnivorous mammals.');
  expect(wiki.callsTo('GET /pt.wikipedia.org/w/*')).toHaveLength(2);
});

test('nothing typed, and nothing found', async () => {
  const { group, wiki } = await startWiki();
  await group.says(ann, '/wiki');
  expect(group.lastText()).toBe('/wiki Kyoto');
  expect(wiki.calls).toEqual([]);
  await group.says(ann, '/wiki hippogriff');
  expect(group.api.messages.at(-1)).toMatchObject({
    text: 'Nothing was found.',
    ephemeral: { to: ann },
  });
  await group.says(ann, '/define hippogriff');
  expect(group.lastText()).toBe('Nothing was found.');
  await group.says(ann, '/define');
  expect(group.lastText()).toBe('/define otter');
});

test('Wikimedia is asked for one thing after the other', async () => {
  const { group, wiki } = await startWiki();
  await Promise.all(['otter', 'badger', 'lynx'].map((word) => group.says(ann, `/wiki ${word}`)));
  expect(wiki.calls.length).toBeGreaterThanOrEqual(4);
  expect(wiki.countAtOnce()).toBe(1);
});

test('and by one process of the server after the other', async () => {
  const { group, wiki } = await startWiki({}, { serviceTimeoutMs: 300 });
  const { deps, services } = group.server;
  const other = createReference(deps, services);
  wiki.fail('GET /en.wikipedia.org/w/*', 'hang');
  const found = await Promise.allSettled([
    services.reference.readPage('badger', 'en'),
    other.reference.readPage('otter', 'en'),
  ]);
  expect(found).toMatchObject([
    { reason: { code: 'service_slow' } },
    { value: { hit: { title: 'Otter' } } },
  ]);
  expect(wiki.countAtOnce()).toBe(1);
});

test('a process that ended during its call holds up the others for a while only', async () => {
  const { group } = await startWiki();
  const { limiter, reference } = group.server.services;
  await limiter.tryHold(limits.wikimedia, 'wikimedia');
  const asked = reference.readPage('otter', 'en');
  group.server.wait(limits.wikimedia.windowMs);
  expect(await asked).toMatchObject({ hit: { title: 'Otter' } });
});

describe('a word', () => {
  test.each(['red panda', 'lesser panda'])('of two is found by its page: %s', async (word) => {
    const panda = [
      { partOfSpeech: 'Noun', language: 'English', definitions: [{ definition: 'A mammal.' }] },
    ];
    const { group, wiki } = await startWiki({
      words: { red_panda: { en: panda } },
      redirects: { lesser_panda: 'red_panda' },
    });
    await group.says(ann, `/define ${word}`);
    expect(group.lastText()).toContain(`${word}\n\nEnglish · Noun\n1. A mammal.`);
    expect(wiki.calls.every(({ path }) => !path.includes('%20'))).toBe(true);
  });

  test('that leads in circles is an answer that cannot be used', async () => {
    const { group } = await startWiki({ redirects: { otter: 'lutra', lutra: 'otter' } });
    await group.says(ann, '/define otter');
    expect(group.lastText()).toMatch(/an answer that cannot be used/);
  });

  test('is defined without markup, English first, with its licence and its address', async () => {
    const { group } = await startWiki();
    await group.says(ann, '/define Otter');
    expect(group.api.messages.at(-1)).toMatchObject({
      text: 'otter\n\nEnglish · Noun\n1. An aquatic mammal & swimmer.\n2. Its fur.\n\nGerman · Noun\n1. adder\n\nFrom Wiktionary, CC BY-SA 4.0',
      body: button('Read on Wiktionary', 'https://en.wiktionary.org/wiki/otter'),
    });
  });
});

describe('Wikimedia that', () => {
  test.each([
    ['is down', { status: 503 }, /^Wikipedia does not answer right now/],
    ['breaks off', 'reset', /^Wikipedia does not answer right now/],
    ['sends a page', 'page', /an answer that cannot be used/],
    ['sends another shape', { body: { pages: [{}] } }, /an answer that cannot be used/],
    [
      'leads elsewhere',
      { status: 302, headers: { Location: 'https://private.example/x' } },
      /an answer that cannot be used/,
    ],
    [
      'refuses us',
      { status: 403, body: 'Please respect our robot policy' },
      /^The service refuses/,
    ],
    ['never answers', 'hang', /took too long/],
  ] as const)('%s', async (_name, failure, said) => {
    const { group, wiki } = await startWiki({}, { serviceTimeoutMs: timeoutFor(failure) });
    wiki.fail('GET /en.wikipedia.org/w/*', failure);
    await group.says(ann, '/wiki otter');
    expect(group.lastText()).toMatch(said);
  });

  test('is asked too often is left alone until it says, by both commands', async () => {
    const { group, wiki } = await startWiki();
    wiki.fail('GET /en.wikipedia.org/w/*', { status: 429, headers: { 'Retry-After': '30' } });
    await group.says(ann, '/wiki otter');
    expect(group.lastText()).toBe(
      'Wikipedia is asked too often right now. Please try again in 30 seconds.',
    );
    await group.says(ann, '/define otter');
    expect(group.lastText()).toMatch(/^Wikimedia is asked too often/);
    expect(wiki.calls).toHaveLength(1);
    group.server.wait(31_000);
    await group.says(ann, '/define otter');
    expect(group.lastText()).toMatch(/^otter\n/);
  });
});

test('without a contact there are no such commands', async () => {
  const group = await startGroup();
  await group.says(ann, '/wiki otter');
  await group.says(ann, '/define otter');
  expect(group.api.messages).toEqual([]);
});
