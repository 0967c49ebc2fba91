/** Reading the user from launch data, refusing forged data, and what launch data is exchanged for. */
import { sign, validate } from '@telegram-apps/init-data-node';
import { assert, integer, nat, pre, property, string } from 'fast-check';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';

import { changePassword } from '#contract/endpoints/account';
import {
  requestPasswordReset,
  resetPassword,
  resetPasswordWithTelegram,
} from '#contract/endpoints/password-reset';
import { endOtherSessions, loginWithTelegram } from '#contract/endpoints/session';
import { AppError } from '#server/lib/errors';
import { sweep } from '#server/services/maintenance';
import { readLaunchData } from '#services/accounts';
import { signFields, signLaunchData } from '#tests/launch-data';
import { createTestServer, goodPassword, type TestServer } from '#tests/test-server';

const botToken = '123456789:a-token-of-tests';
const now = Date.parse('2026-11-21T12:00:00Z');
const user = { id: 279058397, first_name: 'Vladislav', username: 'vdkfrost', language_code: 'en' };

function check(initData: string) {
  return readLaunchData(initData, botToken).user;
}

/** The error for invalid launch data. */
function getRefusal(initData: string): unknown {
  try {
    return check(initData);
  } catch (error) {
    return error instanceof AppError ? whatOneSees(error) : error;
  }
}

/** All refusals look the same, so that a forger learns nothing from them. */
const refused = whatOneSees(new AppError('invalid_launch_data'));

function whatOneSees({ code, detail, retryAfterS }: AppError) {
  return { code, detail, retryAfterS };
}

test('valid launch data returns the user who opened the app', () => {
  const initData = signLaunchData({
    user: { ...user, photo_url: 'https://t.me/i/userpic/320/x.svg' },
    botToken,
    signedAt: now - 60_000,
  });

  expect(check(initData)).toEqual({
    telegramId: 279058397,
    firstName: 'Vladislav',
    username: 'vdkfrost',
    photoUrl: 'https://t.me/i/userpic/320/x.svg',
    language: 'en',
  });
});

test('the example in the Mini Apps documentation is accepted', () => {
  const published =
    'query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2';

  const launch = readLaunchData(published, '5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8');

  expect(launch).toMatchObject({
    user: { telegramId: 279058397, username: 'vdkfrost' },
    signedAt: 1662771648_000,
  });
});

test('data signed by another implementation is accepted, and it accepts data signed by Nori', () => {
  assert(
    property(
      integer({ min: 1, max: 2 ** 52 }),
      string({ unit: 'grapheme', minLength: 1 }),
      (id, first_name) => {
        const theirs = sign({ user: { id, first_name }, query_id: 'q' }, botToken, new Date(now));
        const ours = signLaunchData({ user: { id, first_name }, botToken, signedAt: now });

        expect(check(theirs)).toMatchObject({ telegramId: id, firstName: first_name });
        expect(check(ours)).toMatchObject({ telegramId: id, firstName: first_name });
        expect(() => validate(ours, botToken, { expiresIn: 0 })).not.toThrow();
      },
    ),
    { numRuns: 50 },
  );
});

describe('tampering', () => {
  const good = signLaunchData({ user, botToken, signedAt: now, fields: { start_param: 'chat_1' } });

  test('a change of any character is refused, or changes nothing that is signed', () => {
    assert(
      property(nat(good.length - 1), string({ minLength: 1, maxLength: 1 }), (at, char) => {
        const changed = good.slice(0, at) + char + good.slice(at + 1);
        // Other spellings of the same pairs (a + for %20, capitals in the hash) are the same data.
        pre(spelling(changed) !== spelling(good));

        expect(getRefusal(changed)).toEqual(refused);
      }),
      { numRuns: 500 },
    );
  });

  test('a missing, added or doubled pair is refused', () => {
    const pairs = [...new URLSearchParams(good)];
    for (const [name, value] of pairs) {
      expect(
        getRefusal(new URLSearchParams(pairs.filter(([other]) => other !== name)).toString()),
      ).toEqual(refused);
      expect(getRefusal(new URLSearchParams([...pairs, [name, value]]).toString())).toEqual(
        refused,
      );
      expect(getRefusal(new URLSearchParams([[name, `${value}x`], ...pairs]).toString())).toEqual(
        refused,
      );
    }
    expect(getRefusal(new URLSearchParams([...pairs, ['is_admin', 'true']]).toString())).toEqual(
      refused,
    );
  });

  test('the signature of another bot is refused', () => {
    expect(getRefusal(signLaunchData({ user, botToken: '1:another', signedAt: now }))).toEqual(
      refused,
    );
  });

  test('a hash of zeros, of another length or of other characters is refused', () => {
    for (const hash of ['', '00', '0'.repeat(64), '0'.repeat(66), 'z'.repeat(64)]) {
      expect(getRefusal(good.replace(/hash=[^&]*/, `hash=${hash}`))).toEqual(refused);
    }
  });

  test('the order of the pairs does not matter', () => {
    const turned = new URLSearchParams([...new URLSearchParams(good)].toReversed()).toString();

    expect(check(turned).telegramId).toBe(user.id);
  });
});

describe('invalid data with a valid signature is refused', () => {
  const auth_date = String(now / 1000);

  test.each<[string, Record<string, string>]>([
    ['no user', { auth_date }],
    ['a person that is no JSON', { auth_date, user: '{' }],
    ['a person that is null', { auth_date, user: 'null' }],
    ['a person without an id', { auth_date, user: '{"first_name":"A"}' }],
    ['an id in quotes', { auth_date, user: '{"id":"5"}' }],
    ['an id of zero', { auth_date, user: '{"id":0}' }],
    ['a fraction of an id', { auth_date, user: '{"id":1.5}' }],
    ['an id too large to be exact', { auth_date, user: '{"id":9007199254740993}' }],
    ['no time', { user: JSON.stringify(user) }],
    ['a time that is no number', { auth_date: 'today', user: JSON.stringify(user) }],
    ['a negative time', { auth_date: '-5', user: JSON.stringify(user) }],
  ])('%s', (_name, fields) => {
    expect(getRefusal(signFields(fields, botToken))).toEqual(refused);
  });

  test.each(['', '&', '=', 'hash', '%', '%E0%A4%A', '__proto__=1', 'not launch data'])(
    'the text "%s"',
    (text) => {
      expect(getRefusal(text)).toEqual(refused);
    },
  );
});

test('a picture whose address is not https is left out, and the user is accepted', () => {
  const initData = signLaunchData({
    user: { ...user, photo_url: 'javascript:alert(1)' },
    botToken,
    signedAt: now,
  });

  expect(check(initData)).toMatchObject({ telegramId: user.id, photoUrl: undefined });
});

/** The decoded pairs of launch data, for any spelling of it. */
function spelling(initData: string): string {
  return JSON.stringify(
    [...new URLSearchParams(initData)]
      .map(([name, value]) => `${name}=${name === 'hash' ? value.toLowerCase() : value}`)
      .toSorted((one, other) => (one < other ? -1 : 1)),
  );
}

const minute = 60_000;
const ada = user.id;

async function startWithAccount() {
  const server = await createTestServer({ variables: { BOT_TOKEN: botToken } });
  onTestFinished(server.close);
  return { server, token: await server.signUp(ada) };
}

/** Launch data as Telegram signs it for Ada right now, or so long ago. */
const launchAda = (server: TestServer, ageMs = 0) =>
  signLaunchData({ user, botToken, signedAt: server.now() - ageMs });

const enter = (server: TestServer, init_data: string) =>
  server.call(loginWithTelegram, { init_data });

const refusal = {
  status: 401,
  body: {
    code: 'invalid_launch_data',
    detail: 'Telegram could not confirm who you are. Please close the app and open it again.',
  },
};

/** What the log of security events says about refused launches. */
const refusedLaunches = ({ securityLines, services }: TestServer) => {
  const subject = services.accountEvents.toSubject(ada);
  return securityLines.filter(
    (line) => line.includes('"launch_refused"') && line.includes(`"${subject}"`),
  ).length;
};

describe('an exchange for a session', () => {
  test('works once: stolen data is worth nothing when its user has used it', async () => {
    const { server } = await startWithAccount();
    const stolen = launchAda(server);
    expect((await enter(server, stolen)).status).toBe(200);

    expect(await enter(server, stolen)).toMatchObject(refusal);
    // The same signature, spelled in another way.
    const turned = new URLSearchParams([...new URLSearchParams(stolen)].toReversed()).toString();
    expect(await enter(server, turned)).toMatchObject(refusal);
    expect(refusedLaunches(server)).toBe(2);
    expect((await enter(server, launchAda(server))).status).toBe(200);
  });

  test('of two at the same time, one works', async () => {
    const { server } = await startWithAccount();
    const initData = launchAda(server);

    const replies = await Promise.all([enter(server, initData), enter(server, initData)]);

    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 401]));
  });

  test.each([
    ['an hour old', 60 * minute],
    ['signed five minutes early, as clocks differ', -5 * minute],
  ])('works for data that is %s', async (_case, ageMs) => {
    const { server } = await startWithAccount();

    expect((await enter(server, launchAda(server, ageMs))).status).toBe(200);
  });

  test.each([
    ['older than an hour', 60 * minute + 1000],
    ['signed more than five minutes early', -5 * minute - 1000],
  ])('is refused for data that is %s', async (_case, ageMs) => {
    const { server } = await startWithAccount();

    expect(await enter(server, launchAda(server, ageMs))).toMatchObject(refusal);
    expect(refusedLaunches(server)).toBe(1);
  });

  test('is refused when a key is doubled, whichever of the two is the signed one', async () => {
    const { server } = await startWithAccount();
    const stranger = encodeURIComponent(JSON.stringify({ id: 5, first_name: 'Eve' }));
    const initData = launchAda(server);

    expect(await enter(server, `${initData}&user=${stranger}`)).toMatchObject(refusal);
    expect(await enter(server, `user=${stranger}&${initData}`)).toMatchObject(refusal);
    // It was not looked at, so that no one knows whom it is about.
    expect(refusedLaunches(server)).toBe(0);
  });

  test('a newcomer can come back with the same launch after signing up', async () => {
    const server = await createTestServer({ variables: { BOT_TOKEN: botToken } });
    onTestFinished(server.close);
    const initData = launchAda(server);
    expect(await enter(server, initData)).toMatchObject({ status: 404 });

    await server.signUp(ada);

    expect((await enter(server, initData)).status).toBe(200);
  });

  test('what is stored of used launches goes when they are too old, and is no launch data', async () => {
    const { server } = await startWithAccount();
    const initData = launchAda(server);
    await enter(server, initData);
    const stored = await server.db.selectFrom('used_launches').selectAll().execute();
    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(new URLSearchParams(initData).get('hash'));

    server.wait(60 * minute + 1);
    await sweep(server.deps);

    expect(await server.db.selectFrom('used_launches').selectAll().execute()).toEqual([]);
    expect(await enter(server, initData)).toMatchObject(refusal);
  });
});

describe('launch data from before is void', () => {
  /** Ends all other sessions in the way of the test. */
  const ways: Record<string, (server: TestServer, token: string) => Promise<unknown>> = {
    'logging out everywhere': (server, token) => server.call(endOtherSessions, {}, { token }),
    'a new password that ends other sessions': (server, token) =>
      server.call(
        changePassword,
        { current_password: goodPassword, new_password: 'eight loud badgers' },
        { token },
      ),
    'a new password by launch data': (server) =>
      server.call(resetPasswordWithTelegram, {
        init_data: launchAda(server),
        new_password: 'eight loud badgers',
      }),
    'a new password by a code': async (server) => {
      const telegram_id = String(ada);
      const { body } = await server.call(requestPasswordReset, { telegram_id });
      const { attempt } = v.parse(v.looseObject({ attempt: v.string() }), body);
      // The answer does not wait for the code.
      await expect.poll(() => server.inbox.at(-1)?.text).toMatch(/new password/);
      const otp_code = server.readCode(ada);
      const new_password = 'eight loud badgers';
      const reply = await server.call(resetPassword, {
        telegram_id,
        otp_code,
        attempt,
        new_password,
      });
      expect(reply.status).toBe(200);
    },
  };

  test.each(Object.entries(ways))('after %s', async (_way, endOthers) => {
    const { server, token } = await startWithAccount();
    const stolen = launchAda(server);
    server.wait(500);
    await endOthers(server, token);
    const ofSameSecond = launchAda(server);

    expect(await enter(server, stolen)).toMatchObject(refusal);
    expect(await enter(server, ofSameSecond)).toMatchObject(refusal);
    expect(refusedLaunches(server)).toBe(2);

    server.wait(1000);
    expect((await enter(server, launchAda(server))).status).toBe(200);
  });

  test('also for a new password by launch data', async () => {
    const { server, token } = await startWithAccount();
    const stolen = launchAda(server);
    await server.call(endOtherSessions, {}, { token });

    const set = (init_data: string) =>
      server.call(resetPasswordWithTelegram, { init_data, new_password: 'eight loud badgers' });

    expect(await set(stolen)).toMatchObject(refusal);
    server.wait(1000);
    expect((await set(launchAda(server))).status).toBe(200);
  });

  test('a new password that leaves the other sessions alone leaves launches alone, too', async () => {
    const { server, token } = await startWithAccount();
    const initData = launchAda(server);
    await server.call(
      changePassword,
      {
        current_password: goodPassword,
        new_password: 'eight loud badgers',
        end_other_sessions: false,
      },
      { token },
    );

    expect((await enter(server, initData)).status).toBe(200);
  });

  test('a session by launch data does not start after the end of all others, even if it was checked before', async () => {
    const { server, token } = await startWithAccount();
    const { launches, sessions } = server.services;
    const caller = { address: '', userAgent: undefined };
    const { user: checked, signedAt } = await launches.check(launchAda(server), caller);
    await server.call(endOtherSessions, {}, { token });

    const starting = sessions.start(checked.telegramId, caller, { launchedAt: signedAt });

    await expect(starting).rejects.toMatchObject({ code: 'invalid_launch_data' });
  });
});
