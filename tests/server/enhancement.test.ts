/**
 * Help with prompts: by rules without a language model, and by a language model when there is one.
 */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { enhancePrompt } from '#contract/endpoints/prompts';
import { readCapabilities } from '#contract/endpoints/site';
import { connectLanguageModel } from '#server/upstream/images/language-model';
import { startStandIn } from '#tests/stand-in';
import { createTestServer } from '#tests/test-server';

const path = 'POST /v1/chat/completions';
const saying = (content: string) => ({
  choices: [{ index: 0, message: { role: 'assistant', content } }],
});

async function enhanced(
  server: Awaited<ReturnType<typeof createTestServer>>,
  userPrompt: string,
  protect?: string[],
) {
  const { status, body } = await server.call(enhancePrompt, {
    userPrompt,
    ...(protect ? { protect } : {}),
  });
  expect(status).toBe(200);
  return v.parse(enhancePrompt.output, body);
}

describe('without a language model', () => {
  test('a prompt keeps its words and gets composition, light, detail and mood, the same each time', async () => {
    const server = await createTestServer();

    const first = await enhanced(server, 'a cat on a roof');
    const second = await enhanced(server, 'a cat on a roof');

    expect(first.engine).toBe('offline');
    expect(first.prompt).toMatch(/^a cat on a roof, .+, .+, .+, .+$/);
    expect(second).toEqual(first);
  });

  test('additions for portraits are not combined with those for landscapes', async () => {
    const server = await createTestServer();

    expect((await enhanced(server, '1girl, silver hair')).prompt).toMatch(/eyes|fabric|hair/);
    expect((await enhanced(server, 'mountains and a lake')).prompt).toMatch(
      /panorama|horizon|path/,
    );
  });

  test.each([
    'close-up of a fox, golden hour, highly detailed, calm mood',
    '1girl, portrait, soft lighting, masterpiece, pastel colors',
  ])('“%s” is complete and stays unchanged', async (prompt) => {
    const server = await createTestServer();

    expect((await enhanced(server, prompt)).prompt).toBe(prompt);
  });

  test('enhancing twice adds nothing the second time', async () => {
    const server = await createTestServer();
    const once = await enhanced(server, 'old lighthouse');

    expect((await enhanced(server, once.prompt)).prompt).toBe(once.prompt);
  });

  test('weights, add-ons and protected words stay exactly as they are', async () => {
    const server = await createTestServer();
    const prompt = '(red scarf:1.2), <lora:ink_style:0.7>, nrhk style, a fox';

    const { prompt: richer } = await enhanced(server, prompt, ['nrhk style']);

    expect(richer.startsWith(`${prompt}, `)).toBe(true);
  });

  test('a prompt of the maximum length does not exceed it', async () => {
    const server = await createTestServer();
    const prompt = 'x'.repeat(4000);

    expect((await enhanced(server, prompt)).prompt).toBe(prompt);
  });

  test.each(['', '   '])('“%s” is refused as a prompt', async (userPrompt) => {
    const server = await createTestServer();

    const { status, body } = await server.call(enhancePrompt, { userPrompt });

    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: 'Please enter a prompt' });
  });

  test('the capabilities name the rules', async () => {
    const server = await createTestServer();

    const { body } = await server.call(readCapabilities, {});

    expect(body).toMatchObject({ image_engine: 'sketch', prompt_engine: 'offline' });
  });
});

describe('with a language model', () => {
  async function startWithModel(content: string, timeoutMs?: number) {
    const standIn = await startStandIn(() => ({ body: saying(content) }));
    const languageModel = connectLanguageModel({
      url: `${standIn.url}/v1`,
      apiKey: 'sk-secret',
      model: 'llama3.2',
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return { standIn, server: await createTestServer({ languageModel }) };
  }

  test('it is called with key and model, and its answer is the prompt', async () => {
    const { server, standIn } = await startWithModel('a ginger cat on a slate roof, dusk');

    const answer = await enhanced(server, 'a cat on a roof');

    expect(answer).toEqual({ prompt: 'a ginger cat on a slate roof, dusk', engine: 'llama3.2' });
    expect(standIn.callsTo(path)).toMatchObject([
      {
        headers: { authorization: 'Bearer sk-secret' },
        body: {
          model: 'llama3.2',
          stream: false,
          messages: [{ role: 'system' }, { role: 'user', content: 'a cat on a roof' }],
        },
      },
    ]);
  });

  test('the environment connects it', async () => {
    const standIn = await startStandIn(() => ({ body: saying('a fine cat') }));
    const server = await createTestServer({
      variables: { ENHANCE_URL: `${standIn.url}/v1/`, ENHANCE_MODEL: 'tiny' },
    });

    expect(await enhanced(server, 'cat')).toEqual({ prompt: 'a fine cat', engine: 'tiny' });
    expect(standIn.calls[0]?.headers.authorization).toBeUndefined();
    expect((await server.call(readCapabilities, {})).body).toMatchObject({ prompt_engine: 'tiny' });
  });

  test.each([
    ['a fence', '```text\na red fox, snow\n```'],
    ['quotes', '"a red fox, snow"'],
    ['curly quotes', '“a red fox, snow”'],
    ['a label', 'Enhanced prompt: a red fox, snow'],
    ['an introduction', 'Here is the improved version:\n\na red fox, snow'],
    ['thoughts', '<think>The user wants\na fox.</think>\n\na red fox, snow'],
    ['lines', 'a red fox,\n  snow'],
  ])('%s around the prompt is removed', async (_case, content) => {
    const { server } = await startWithModel(content);

    expect((await enhanced(server, 'fox')).prompt).toBe('a red fox, snow');
  });

  test('weights, add-ons and protected words that it left out are added again', async () => {
    const { server } = await startWithModel('a proud fox in snow');

    const { prompt } = await enhanced(server, '(fox:1.3), <lora:ink:0.7>, nrhk style', [
      'nrhk style',
      'a word of another prompt',
    ]);

    expect(prompt).toBe('a proud fox in snow, (fox:1.3), <lora:ink:0.7>, nrhk style');
  });

  test('an overlong answer is cut after a whole part, and nothing protected is lost', async () => {
    const { server } = await startWithModel('many words, '.repeat(600));

    const { prompt } = await enhanced(server, '(fox:1.3)');

    expect(prompt.length).toBeLessThanOrEqual(4000);
    expect(prompt).toMatch(/many words, \(fox:1\.3\)$/);
  });

  test.each([
    ['does not answer', 'hang'],
    ['breaks the connection', 'reset'],
    ['answers a page', 'page'],
    ['says no', { status: 401, body: { error: { message: 'bad key sk-secret' } } }],
    ['is overloaded', { status: 429, body: {} }],
    ['says nothing', { body: saying('   ') }],
    ['answers without choices', { body: { choices: [] } }],
    ['answers only a fence', { body: saying('``` ```') }],
  ] as const)(
    'a model that %s is reported as a failure, and the log has neither prompt nor key',
    async (_case, failure) => {
      const { server, standIn } = await startWithModel('never', 200);
      standIn.fail(path, failure);

      const { status, body } = await server.call(enhancePrompt, { userPrompt: 'a secret prompt' });

      expect(status).toBe(502);
      expect(body).toEqual({ detail: 'Failed to enhance prompt', code: 'enhancement_failed' });
      expect(server.logLines.join('')).not.toMatch(/secret/);
    },
  );
});

describe('with a newer language model', () => {
  const request = v.looseObject({
    max_tokens: v.optional(v.number()),
    max_completion_tokens: v.optional(v.number()),
    temperature: v.optional(v.number()),
  });
  type Asked = v.InferOutput<typeof request>;

  const refuse = (param: string, code: string, message: string) => ({
    status: 400,
    body: { error: { message, type: 'invalid_request_error', param, code } },
  });

  const rules = {
    limit: ({ max_tokens }: Asked) =>
      max_tokens === undefined
        ? undefined
        : refuse(
            'max_tokens',
            'unsupported_parameter',
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          ),
    temperature: ({ temperature }: Asked) =>
      temperature === undefined || temperature === 1
        ? undefined
        : refuse(
            'temperature',
            'unsupported_value',
            `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
          ),
    /** It thinks first, and its thoughts count. */
    budget: ({ max_tokens = 0, max_completion_tokens = max_tokens }: Asked) =>
      max_completion_tokens >= 2000
        ? undefined
        : { body: { choices: [{ message: { content: '' }, finish_reason: 'length' }] } },
  } as const;

  /** The real API checks in this order. */
  async function startWithRules(...names: (keyof typeof rules)[]) {
    const standIn = await startStandIn(({ body }) => {
      const asked = v.parse(request, body);
      const refused = names.map((name) => rules[name](asked)).find((one) => one !== undefined);
      return refused ?? { body: saying('a red fox, snow') };
    });
    const languageModel = connectLanguageModel({ url: `${standIn.url}/v1`, model: 'newest' });
    return { standIn, server: await createTestServer({ languageModel }) };
  }

  test.each([
    ['refuses max_tokens', ['limit'], 2],
    ['refuses any temperature but its own', ['temperature'], 2],
    ['uses up a small budget with its thoughts', ['budget'], 2],
    ['does all of this', ['limit', 'temperature', 'budget'], 3],
  ] as const)('that %s, prompts are enhanced, and later at once', async (_what, names, calls) => {
    const { server, standIn } = await startWithRules(...names);

    const first = await enhanced(server, 'fox');
    const callsOfFirst = standIn.calls.length;
    const second = await enhanced(server, 'another fox');

    expect([first.prompt, second.prompt]).toEqual(['a red fox, snow', 'a red fox, snow']);
    expect(callsOfFirst).toBe(calls);
    expect(standIn.calls).toHaveLength(calls + 1);
  });

  test('that refuses for another reason, the request is not repeated', async () => {
    const { server, standIn } = await startWithRules();
    standIn.fail(path, refuse('model', 'model_not_found', 'The model does not exist'));

    const { status } = await server.call(enhancePrompt, { userPrompt: 'fox' });

    expect(status).toBe(502);
    expect(standIn.calls).toHaveLength(1);
  });

  test('whose answer is cut off among its thoughts, nothing of the thoughts is taken', async () => {
    const { server, standIn } = await startWithRules();
    const cut = '<think>The user wants a fox.';
    standIn.fail(
      path,
      { body: { choices: [{ message: { content: cut }, finish_reason: 'length' }] } },
      2,
    );

    const { status } = await server.call(enhancePrompt, { userPrompt: 'fox' });

    expect(status).toBe(502);
  });
});

describe('limits', () => {
  test('visitors are counted by address, users by account', async () => {
    const server = await createTestServer({ variables: { ADDRESS_LIMIT_FACTOR: '0.02' } });
    const token = await server.signUp(1);
    const query = (as?: string) => server.call(enhancePrompt, { userPrompt: 'fox' }, { token: as });

    for (let count = 0; count < 12; count += 1) {
      expect((await query()).status).toBe(200);
    }
    const guest = await query();
    const person = await query(token);

    expect(guest.status).toBe(429);
    expect(guest.headers.get('Retry-After')).toBe('3600');
    expect(guest.body).toMatchObject({
      detail: 'Many prompts were enhanced from your network. Please try again in 60 minutes.',
    });
    expect(person.status).toBe(200);
  });

  test('an account has 120 requests an hour', async () => {
    const server = await createTestServer();
    const token = await server.signUp(1);
    const query = async () =>
      (await server.call(enhancePrompt, { userPrompt: 'fox' }, { token })).status;

    for (let count = 0; count < 120; count += 1) {
      expect(await query()).toBe(200);
    }

    expect(await query()).toBe(429);
  });
});
