/** /translate: what is translated into what, by which server, and each way in which that fails. */
import { describe, expect, test } from 'vitest';

import { limits } from '#server/lib/limits';
import { ann, bo, startGroup } from '#tests/command-group';
import { startLibreTranslate, startMyMemory } from '#tests/reference-servers';
import { timeoutFor } from '#tests/stand-in';

const impatience = { serviceTimeoutMs: timeoutFor('hang') };

async function startWithLibre(options: Parameters<typeof startLibreTranslate>[0] = {}) {
  const libre = await startLibreTranslate(options);
  const variables = { TRANSLATE_URL: libre.url };
  return { libre, group: await startGroup({ variables }) };
}

async function startWithMyMemory(quota?: number) {
  const memory = await startMyMemory(quota === undefined ? {} : { quota });
  const variables = { TRANSLATE: 'mymemory', MYMEMORY_ROOT: memory.url };
  return { memory, group: await startGroup({ variables }) };
}

const asReply = (group: Awaited<ReturnType<typeof startGroup>>, fields: object) => ({
  fields: { reply_to_message: group.toMessage(bo, { ...fields }) },
});

test('without a translator there is no such command', async () => {
  const group = await startGroup();
  await group.says(ann, '/tr de Bonjour');
  expect(group.api.messages).toEqual([]);
});

describe('by LibreTranslate', () => {
  test('a text is translated into the language before it, and both languages are named', async () => {
    const { group, libre } = await startWithLibre();
    await group.says(ann, '/tr de Bonjour le monde');
    expect(group.api.messages.at(-1)).toMatchObject({
      text: 'de: Bonjour le monde\n\nFrench → German · LibreTranslate',
    });
    expect(group.api.messages.at(-1)?.ephemeral).toBeUndefined();
    expect(libre.calls[0]?.body).toMatchObject({ source: 'auto', format: 'text' });
  });

  test('the message that is replied to, its caption, or what of it is quoted', async () => {
    const { group } = await startWithLibre();
    await group.says(ann, '/translate it', asReply(group, { text: 'Bonjour' }));
    expect(group.lastText()).toMatch(/^it: Bonjour\n/);
    await group.says(ann, '/tr', asReply(group, { text: undefined, caption: 'Salut' }));
    expect(group.lastText()).toMatch(/^en: Salut\n/);
    const { fields } = asReply(group, { text: 'Bonjour le monde' });
    await group.says(ann, '/tr', { fields: { ...fields, quote: { text: 'monde', position: 11 } } });
    expect(group.lastText()).toMatch(/^en: monde\n/);
  });

  test('a region that the server does not know is left out, and so is one that does not exist', async () => {
    const { group } = await startWithLibre();
    await group.says(ann, '/tr pt-BR Bonjour');
    expect(group.lastText()).toMatch(/^pt: Bonjour\n/);
    await group.says(ann, '/tr qq Bonjour');
    expect(group.lastText()).toMatch(/^en: qq Bonjour\n/);
  });

  test('it says what is missing: a text, another language, a language that it has', async () => {
    const { group, libre } = await startWithLibre();
    await group.says(ann, '/tr de');
    expect(group.lastText()).toBe('/tr de Hello\nOr reply to a message with /tr de.');
    expect(libre.calls).toEqual([]);
    await group.says(ann, '/tr fr Bonjour');
    expect(group.lastText()).toBe('This text is in French already.');
    await group.says(ann, '/tr ko Bonjour');
    expect(group.api.messages.at(-1)).toMatchObject({
      text: 'LibreTranslate does not translate into Korean.',
      ephemeral: { to: ann },
    });
  });

  test('a text that is too long for us is not sent, and the limit of the server is said', async () => {
    const { group, libre } = await startWithLibre({ charLimit: 100 });
    await group.says(ann, `/tr de ${'a'.repeat(2001)}`);
    expect(group.lastText()).toBe('At most 2000 characters.');
    expect(libre.calls).toEqual([]);
    await group.says(ann, `/tr de ${'a'.repeat(101)}`);
    expect(group.lastText()).toBe('At most 100 characters.');
  });

  test('a key is sent, and a server that refuses ours is named as such', async () => {
    const libre = await startLibreTranslate({ apiKey: 'a-key' });
    const variables = { TRANSLATE_URL: libre.url, TRANSLATE_API_KEY: 'a-key' };
    const group = await startGroup({ variables });
    await group.says(ann, '/tr de Bonjour');
    expect(group.lastText()).toMatch(/^de: Bonjour/);

    const other = await startGroup({ variables: { TRANSLATE_URL: libre.url } });
    await other.says(ann, '/tr de Bonjour');
    expect(other.lastText()).toBe('The service refuses this server.');
  });

  test.each([
    ['is down', { status: 502 }, /does not answer right now/],
    ['breaks off', 'reset', /does not answer right now/],
    ['sends a page', 'page', /an answer that cannot be used/],
    ['sends another shape', { body: { translatedText: 7 } }, /an answer that cannot be used/],
    ['refuses for a reason of its own', { status: 400, body: { error: 'x' } }, /cannot be used/],
    ['never answers', 'hang', /took too long/],
  ] as const)('a server that %s', async (_name, failure, said) => {
    const libre = await startLibreTranslate();
    libre.fail('POST /translate', failure);
    const variables = { TRANSLATE_URL: libre.url };
    const group = await startGroup({ variables, ...(failure === 'hang' ? impatience : {}) });
    await group.says(ann, '/tr de Bonjour');
    expect(group.lastText()).toMatch(said);
    await group.says(ann, '/tr de Bonjour');
    expect(group.lastText()).toMatch(failure === 'hang' ? /./ : /^de: Bonjour/);
  });

  test('a server that is asked too often is left alone until it says', async () => {
    const { group, libre } = await startWithLibre();
    libre.fail('POST /translate', {
      status: 429,
      headers: { 'Retry-After': '90' },
      body: { error: 'Slowdown: 20 per 1 minute' },
    });
    await group.says(ann, '/tr de Bonjour');
    expect(group.lastText()).toBe(
      'LibreTranslate is asked too often right now. Please try again in 90 seconds.',
    );
    await group.says(ann, '/tr de Bonjour');
    expect(libre.calls).toHaveLength(1);
    group.server.wait(91_000);
    await group.says(ann, '/tr de Bonjour');
    expect(group.lastText()).toMatch(/^de: Bonjour/);
  });
});

describe('by MyMemory', () => {
  test('a text is translated, and entities of HTML become characters', async () => {
    const { group } = await startWithMyMemory();
    await group.says(ann, '/tr de Bonjour');
    expect(group.lastText()).toBe('de: Bonjour & more\n\nFrench → German · MyMemory');
  });

  test('its limit counts bytes, so that fewer letters of other scripts are possible', async () => {
    const { group, memory } = await startWithMyMemory();
    await group.says(ann, `/tr de ${'a'.repeat(500)}`);
    expect(group.lastText()).toMatch(/^de: aaa/);
    await group.says(ann, `/tr de ${'я'.repeat(251)}`);
    expect(group.lastText()).toBe(
      'MyMemory takes at most 500 bytes: so many Latin letters, and fewer of other scripts.',
    );
    expect(memory.calls).toHaveLength(1);
  });

  test('the same language, and one that it does not have', async () => {
    const { group } = await startWithMyMemory();
    await group.says(ann, '/tr fr Bonjour');
    expect(group.lastText()).toBe('This text is in French already.');
    await group.says(ann, '/tr zu Bonjour');
    expect(group.lastText()).toBe('MyMemory does not translate into Zulu.');
  });

  test('its warning about the quota is no translation, and it is asked again when it says', async () => {
    const { group, memory } = await startWithMyMemory(1);
    await group.says(ann, '/tr de Bonjour');
    await group.says(ann, '/tr de Salut');
    expect(group.lastText()).toBe(
      'MyMemory is asked too often right now. Please try again in 13 hours.',
    );
    await group.says(ann, '/tr de Salut');
    expect(memory.calls).toHaveLength(2);
  });

  test('the server asks it a hundred times a day at most', async () => {
    const { group, memory } = await startWithMyMemory(1000);
    const { limiter } = group.server.services;
    await limiter.tryTake(limits.myMemory, 'MyMemory', 99);
    await group.says(ann, '/tr de Bonjour');
    expect(group.lastText()).toMatch(/^de: Bonjour/);
    await group.says(ann, '/tr de Bonjour');
    expect(group.lastText()).toBe(
      'This server has had as many texts translated as it may today. Please try again in 24 hours.',
    );
    expect(memory.calls).toHaveLength(1);
  });
});

test('a person asks at most twenty times in ten minutes, wherever that is', async () => {
  const { group, libre } = await startWithLibre();
  for (let count = 0; count < 20; count += 1) {
    await group.writes('/tr de Bonjour', { chatId: ann, from: ann });
    group.server.wait(10_000);
  }
  await group.writes('/tr de Bonjour', { chatId: ann, from: ann });
  expect(group.lastText()).toMatch(/^Too many requests/);
  expect(libre.calls).toHaveLength(20);
});
