/** Reading the user from launch data, and refusing forged data. */
import { sign, validate } from '@telegram-apps/init-data-node';
import { assert, integer, nat, pre, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { AppError } from '#server/lib/errors';
import { checkLaunchData } from '#services/accounts';
import { signFields, signLaunchData } from '#tests/launch-data';

const botToken = '123456789:a-token-of-tests';
const now = Date.parse('2026-11-21T12:00:00Z');
const user = { id: 279058397, first_name: 'Vladislav', username: 'vdkfrost', language_code: 'en' };
const hour = 60 * 60 * 1000;

function check(initData: string, at = now) {
  return checkLaunchData(initData, { botToken, now: at });
}

/** The error for invalid launch data. */
function getRefusal(initData: string, at = now): unknown {
  try {
    return check(initData, at);
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

test('the example in the Mini Apps documentation is accepted at its time', () => {
  const published =
    'query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2';

  const person = checkLaunchData(published, {
    botToken: '5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8',
    now: 1662771648_000 + hour,
  });

  expect(person).toMatchObject({ telegramId: 279058397, username: 'vdkfrost' });
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

describe('age', () => {
  const initData = signLaunchData({ user, botToken, signedAt: now });

  test.each([
    ['24 hours later', 24 * hour],
    ['five minutes early, as clocks differ', -5 * 60_000],
  ])('is accepted %s', (_name, later) => {
    expect(check(initData, now + later).telegramId).toBe(user.id);
  });

  test.each([
    ['a second after 24 hours', 24 * hour + 1000],
    ['more than five minutes early', -5 * 60_000 - 1000],
  ])('is refused %s', (_name, later) => {
    expect(getRefusal(initData, now + later)).toEqual(refused);
  });
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
