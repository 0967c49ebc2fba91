/** The session: restored, started, ended, and followed across tabs. */
import { beforeEach, describe, expect, test } from 'vitest';

import { startParamPath } from '#lib/paths';
import {
  becomeGuest,
  endSession,
  followSession,
  getSession,
  saveTelegramId,
  onSessionChange,
  restoreSession,
  startSession,
} from '#lib/session';
import { maySignInAutomatically, signOut } from '#lib/telegram-sign-in';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  restoreSession();
});

test('without a token the user is a guest', () => {
  expect(getSession()).toEqual({ status: 'guest', isNewcomer: false });
});

test('a token of an older client is moved to its current key', () => {
  localStorage.setItem('access_token', 'legacy');

  restoreSession();

  expect(getSession()).toMatchObject({ status: 'member', token: 'legacy' });
  expect(localStorage.getItem('accessToken')).toBe('legacy');
  expect(localStorage.getItem('access_token')).toBeNull();
});

test('a current token wins over a legacy one', () => {
  localStorage.setItem('access_token', 'legacy');
  localStorage.setItem('accessToken', 'present');

  restoreSession();

  expect(getSession()).toMatchObject({ token: 'present' });
});

test('a started session is stored, and its Telegram ID can be added later', () => {
  startSession({ token: 't', telegramId: undefined });
  saveTelegramId('42');

  expect(getSession()).toEqual({ status: 'member', token: 't', telegramId: '42' });
  expect(localStorage.getItem('telegram_id')).toBe('42');
});

test('no Telegram ID is stored without a session', () => {
  saveTelegramId('42');

  expect(localStorage.getItem('telegram_id')).toBeNull();
});

test('ending it removes all of the user’s data', () => {
  startSession({ token: 't', telegramId: '42' });
  localStorage.setItem('nori_draft', 'secret plans');

  endSession();

  expect(getSession().status).toBe('guest');
  expect(localStorage).toHaveLength(0);
});

test('after logging out, the user is not signed in automatically until they log in', () => {
  startSession({ token: 't', telegramId: '42' });
  expect(maySignInAutomatically()).toBe(true);

  signOut();
  expect(maySignInAutomatically()).toBe(false);

  startSession({ token: 't2', telegramId: '42' });
  expect(maySignInAutomatically()).toBe(true);
});

describe('another tab', () => {
  const fromAnotherTab = (change: () => void) => {
    change();
    window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken' }));
  };

  test('that logs out logs this one out', () => {
    startSession({ token: 't', telegramId: '1' });
    const stop = followSession();

    fromAnotherTab(() => localStorage.clear());

    expect(getSession().status).toBe('guest');
    stop();
  });

  test('that logs in as another user changes this one', () => {
    startSession({ token: 't', telegramId: '1' });
    const seen: string[] = [];
    const stopListening = onSessionChange((now, before) =>
      seen.push(`${before.status}>${now.status}`),
    );
    const stop = followSession();

    fromAnotherTab(() => {
      localStorage.setItem('accessToken', 'other');
      localStorage.setItem('telegram_id', '2');
    });

    expect(getSession()).toEqual({ status: 'member', token: 'other', telegramId: '2' });
    expect(seen).toEqual(['member>member']);
    stop();
    stopListening();
  });
});

test('a page restored from the back-forward cache after logging out has no session', () => {
  startSession({ token: 't', telegramId: '1' });
  const stop = followSession();
  localStorage.clear();

  const back = new Event('pageshow');
  Object.assign(back, { persisted: true });
  window.dispatchEvent(back);

  expect(getSession().status).toBe('guest');
  stop();
});

test('a newcomer is a guest', () => {
  becomeGuest({ isNewcomer: true });

  expect(getSession()).toEqual({ status: 'guest', isNewcomer: true });
});

describe('a start parameter', () => {
  test.each([
    ['chat_-1001234567890', '/dashboard?chat=-1001234567890'],
    ['chat_-1001234567890_7', '/dashboard?chat=-1001234567890&topic=7'],
    ['chat_42_0', '/dashboard?chat=42&topic=0'],
    ['setup', '/dashboard?step=add'],
  ])('%s opens %s', (startParam, path) => {
    expect(startParamPath(startParam)).toBe(path);
  });

  test.each([
    undefined,
    '',
    'chat_',
    'chat_abc',
    'chat_1_x',
    'chat_1_2_3',
    'chat_0',
    'xchat_1',
    'chat_1&step=add',
    'chat_99999999999999999',
  ])('%s opens nothing', (startParam) => {
    expect(startParamPath(startParam)).toBeUndefined();
  });
});
