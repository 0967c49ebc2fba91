/** The HTTP client: requests, failures, and refused tokens. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { register, verifyOtp } from '#contract/endpoints/account';
import { listChats, setSetting, verifyChat } from '#contract/endpoints/chats';
import { login, readMe } from '#contract/endpoints/session';
import { ApiError, call, errorText, setUnauthorizedPolicy } from '#lib/api';
import { endSession, startSession } from '#lib/session';

type Sent = {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
};

const sent: Sent[] = [];
const noPolicy = () => Promise.resolve(false);

/** Answers every request with the next of the given responses. */
function answerWith(...answers: readonly (Response | Error)[]): void {
  const queue = [...answers];
  vi.stubGlobal('fetch', async (input: Request | string | URL, init?: RequestInit) => {
    const request = input instanceof Request ? input : new Request(input, init);
    sent.push({
      url: request.url,
      method: request.method,
      headers: request.headers,
      body: await request.text(),
    });
    const answer = queue.length > 1 ? queue.shift() : queue[0];
    if (answer instanceof Error || answer === undefined) {
      throw answer ?? new Error('no answer prepared');
    }
    return answer.clone();
  });
}

const json = (body: unknown, init?: ResponseInit) => Response.json(body, init);

async function catchFailure(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => new Error('it worked'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) {
    throw new Error(`Expected an ApiError, got ${String(error)}`);
  }
  return error;
}

beforeEach(() => {
  sent.length = 0;
  endSession();
});

afterEach(() => {
  setUnauthorizedPolicy(noPolicy);
  vi.unstubAllGlobals();
});

describe('a call', () => {
  test('sends the token when there is one', async () => {
    answerWith(json({ chats: [] }));

    await call(listChats, {});
    startSession({ token: 'token-1', telegramId: '1' });
    await call(listChats, {});

    expect(sent[0]?.headers.get('authorization')).toBeNull();
    expect(sent[1]?.headers.get('authorization')).toBe('Bearer token-1');
    expect(sent[1]?.headers.get('accept')).toContain('application/json');
  });

  test('names the language of the page, whatever the browser prefers', async () => {
    answerWith(json({ chats: [] }));

    await call(listChats, {});

    expect(sent[0]?.headers.get('accept-language')).toBe('en');
  });

  test('sends each input where the contract says', async () => {
    answerWith(json({ setting_name: 'photo_blocked', value: true }));

    await call(setSetting, {
      chat_id: '-1001',
      topic_id: '7',
      setting_name: 'photo_blocked',
      value: true,
    });

    expect(sent[0]?.method).toBe('PUT');
    expect(new URL(sent[0]?.url ?? '').pathname).toBe('/backend/chats/-1001/topics/7/settings');
    expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
      chat_id: '-1001',
      topic_id: '7',
      setting_name: 'photo_blocked',
      value: true,
    });
  });

  test('keeps passwords and registration attempts out of the address', async () => {
    answerWith(json({ access_token: 't' }));

    await call(login, { telegram_id: '1', password: 'a secret' });
    await call(register, { telegram_id: '1', email: 'a@b.org', password: 'another secret' });
    await call(verifyOtp, { telegram_id: '1', otp_code: '123456', attempt: 'attempt-1' });

    expect(sent.map(({ url }) => new URL(url).search)).toEqual([
      '',
      '',
      '?telegram_id=1&otp_code=123456',
    ]);
    expect(JSON.parse(sent[2]?.body ?? '')).toEqual({ attempt: 'attempt-1' });
  });

  test.each([
    ['a list', [{ chat_id: -1 }]],
    ['an object', { chats: [{ chat_id: '-1', chat_name: null, extra: 1 }] }],
  ])('reads chats from %s', async (_form, body) => {
    answerWith(json(body));

    const { chats } = await call(listChats, {});

    expect(chats).toEqual([
      {
        _id: '-1',
        chat_id: '-1',
        chat_name: '',
        topics: {},
        is_demo: false,
        topic_names: {},
        language: null,
        languages: [],
      },
    ]);
  });

  test('reads an empty answer where the contract allows one', async () => {
    answerWith(new Response(null, { status: 200 }));

    expect(await call(verifyChat, { chat_id: '-1', otp: '123456' })).toEqual({});
  });
});

describe('a failure', () => {
  test.each([
    [
      'a sentence',
      json({ detail: 'No such chat', code: 'chat_not_found' }, { status: 404 }),
      'No such chat',
    ],
    [
      'a list of issues',
      json(
        { detail: [{ loc: ['body'], msg: 'Too short', type: 'x' }, { msg: 'Too old' }] },
        { status: 422 },
      ),
      'Too short. Too old',
    ],
    ['a message', json({ message: 'Go away' }, { status: 403 }), 'Go away'],
    [
      'a web page',
      new Response('<html><h1>502 Bad Gateway</h1></html>', { status: 502 }),
      'the fallback',
    ],
    ['nothing', new Response(null, { status: 500 }), 'the fallback'],
    ['something else', json({ detail: { nested: true } }, { status: 400 }), 'the fallback'],
  ])('with %s has a text for the user', async (_form, answer, sentence) => {
    answerWith(answer);

    expect(errorText(await catchFailure(call(listChats, {})), 'the fallback')).toBe(sentence);
  });

  test('is shown in the language of the page where the server says it in it', async () => {
    answerWith(json({ detail: 'Slow down', message: 'Langsamer' }, { status: 429 }));

    expect(errorText(await catchFailure(call(listChats, {})), 'the fallback')).toBe('Langsamer');
  });

  test('keeps status, code and the time to wait', async () => {
    answerWith(
      json(
        { detail: 'Slow down', code: 'rate_limited' },
        { status: 429, headers: { 'Retry-After': '42' } },
      ),
    );

    const failure = await catchFailure(call(listChats, {}));

    expect(failure).toMatchObject({ status: 429, code: 'rate_limited', retryAfterS: 42 });
    expect(failure.message).toBe('HTTP error! status: 429');
  });

  test('without an answer has a code of its own', async () => {
    answerWith(new TypeError('Failed to fetch'));

    expect(await catchFailure(call(listChats, {}))).toMatchObject({
      status: 0,
      code: 'no_response',
      detail: undefined,
    });
  });

  test('in the middle of an answer rejects the whole call', async () => {
    let isFirst = true;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (isFirst) {
          controller.enqueue(new TextEncoder().encode('{"chats":[{"chat_id":"-1001"}'));
        } else {
          controller.error(new TypeError('network error'));
        }
        isFirst = false;
      },
    });
    answerWith(new Response(body, { headers: { 'Content-Type': 'application/json' } }));

    expect(await catchFailure(call(listChats, {}))).toMatchObject({
      code: 'no_response',
      detail: undefined,
    });
  });

  test('is also an answer of a wrong shape', async () => {
    answerWith(json({ chats: 'many' }));
    expect(await catchFailure(call(listChats, {}))).toMatchObject({
      status: 200,
      code: 'unreadable',
    });

    answerWith(new Response('not json', { status: 200 }));
    expect(await catchFailure(call(listChats, {}))).toMatchObject({ code: 'unreadable' });
  });

  test('that the caller caused by aborting has a code of its own', async () => {
    answerWith(json({ chats: [] }));
    const controller = new AbortController();
    controller.abort();

    expect(await catchFailure(call(listChats, {}, controller.signal))).toMatchObject({
      code: 'aborted',
    });
  });
});

describe('a refused token', () => {
  const unauthenticated = () => json({ detail: 'Please log in' }, { status: 401 });

  test('is reported with the token that was refused', async () => {
    const refused: string[] = [];
    setUnauthorizedPolicy((token) => {
      refused.push(token);
      return Promise.resolve(false);
    });
    startSession({ token: 'old', telegramId: '1' });
    answerWith(unauthenticated());

    expect(await catchFailure(call(readMe, {}))).toMatchObject({ status: 401 });
    expect(refused).toEqual(['old']);
  });

  test('is replaced by the renewed one, and the call is repeated once', async () => {
    setUnauthorizedPolicy(() => {
      startSession({ token: 'new', telegramId: '1' });
      return Promise.resolve(true);
    });
    startSession({ token: 'old', telegramId: '1' });
    answerWith(unauthenticated(), json({ telegram_id: 1 }));

    expect(await call(readMe, {})).toEqual({ telegram_id: '1' });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual([
      'Bearer old',
      'Bearer new',
    ]);
  });

  test('does not cause a third call', async () => {
    setUnauthorizedPolicy(() => Promise.resolve(true));
    startSession({ token: 'old', telegramId: '1' });
    answerWith(unauthenticated());

    await catchFailure(call(readMe, {}));

    expect(sent).toHaveLength(2);
  });

  test('of a login does not call the policy', async () => {
    const policy = vi.fn<typeof noPolicy>(noPolicy);
    setUnauthorizedPolicy(policy);
    startSession({ token: 'mine', telegramId: '1' });
    answerWith(unauthenticated());

    await catchFailure(call(login, { telegram_id: '1', password: 'wrong' }));

    expect(policy).not.toHaveBeenCalled();
  });

  test('does not call the policy without a session', async () => {
    const policy = vi.fn<typeof noPolicy>(noPolicy);
    setUnauthorizedPolicy(policy);
    answerWith(unauthenticated());

    await catchFailure(call(readMe, {}));

    expect(policy).not.toHaveBeenCalled();
  });
});
