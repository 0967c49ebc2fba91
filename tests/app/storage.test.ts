/** What the device remembers, and what happens where it refuses to. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import {
  forgetUser,
  isStorageLasting,
  onStoredElsewhere,
  readStored,
  tabMarks,
  writeStored,
} from '#lib/storage';

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  writeStored('accessToken', undefined);
});

describe('a stored token', () => {
  test('comes back as it was', () => {
    writeStored('accessToken', 'secret-token');

    expect(readStored('accessToken')).toBe('secret-token');
    expect(localStorage.getItem('accessToken')).toBe('secret-token');
  });

  test.each(['', '   ', '"quoted"', '{"token":1}', 'two words'])(
    '%j is no token, and is cleaned away',
    (rubbish) => {
      localStorage.setItem('accessToken', rubbish);

      expect(readStored('accessToken')).toBeUndefined();
      expect(localStorage.getItem('accessToken')).toBeNull();
    },
  );
});

test('a theme that is neither light nor dark is dropped', () => {
  localStorage.setItem('theme', 'purple');

  expect(readStored('theme')).toBeUndefined();
});

test('logging out removes the token, the id and every key of the app, and nothing else', () => {
  for (const key of [
    'accessToken',
    'access_token',
    'telegram_id',
    'nori_form_state',
    'pixai_history',
    'theme',
    'selectedProvider',
    'someone_else',
  ]) {
    localStorage.setItem(key, '1');
  }

  forgetUser();

  expect(Object.keys(localStorage).toSorted()).toEqual([
    'selectedProvider',
    'someone_else',
    'theme',
  ]);
});

describe('where storage is refused', () => {
  const blocked = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };

  test('values live until the page goes', () => {
    vi.stubGlobal('localStorage', undefined);
    Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: blocked });

    writeStored('accessToken', 'kept-in-memory');

    expect(readStored('accessToken')).toBe('kept-in-memory');
    expect(isStorageLasting()).toBe(false);
    expect(() => forgetUser()).not.toThrow();
    expect(readStored('accessToken')).toBeUndefined();
  });

  test('a full device does not break anything', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });

    writeStored('theme', 'dark');

    expect(readStored('theme')).toBe('dark');
  });
});

test('another tab is heard, and only about our own keys', () => {
  const heard: string[] = [];
  const stop = onStoredElsewhere((name) => heard.push(name));

  for (const key of ['accessToken', 'theme', 'unknown', null]) {
    window.dispatchEvent(new StorageEvent('storage', { key }));
  }
  stop();
  window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }));

  expect(heard).toEqual(['accessToken', 'theme', 'all']);
});

test('a mark lasts as long as the tab', () => {
  tabMarks.write('signed_out', '1');
  expect(tabMarks.read('signed_out')).toBe('1');

  tabMarks.write('signed_out', undefined);
  expect(tabMarks.read('signed_out')).toBeUndefined();
});
