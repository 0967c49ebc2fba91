/** The device's storage, also where it is full or blocked. */
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
  test('is read as it was written', () => {
    writeStored('accessToken', 'secret-token');

    expect(readStored('accessToken')).toBe('secret-token');
    expect(localStorage.getItem('accessToken')).toBe('secret-token');
  });

  test.each(['', '   ', '"quoted"', '{"token":1}', 'two words'])(
    '%j is no token, and is removed',
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

test('logging out removes the token, the ID and every key of the app, and nothing else', () => {
  for (const key of [
    'accessToken',
    'access_token',
    'telegram_id',
    'nori_form_state',
    'pixai_history',
    'theme',
    'selectedProvider',
    'known_device',
    'someone_else',
  ]) {
    localStorage.setItem(key, '1');
  }

  forgetUser();

  expect(Object.keys(localStorage).toSorted()).toEqual([
    'known_device',
    'selectedProvider',
    'someone_else',
    'theme',
  ]);
});

describe('where storage is blocked or full', () => {
  const blocked = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };

  test('values are in memory until the page is closed', () => {
    vi.stubGlobal('localStorage', undefined);
    Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: blocked });

    writeStored('accessToken', 'kept-in-memory');

    expect(readStored('accessToken')).toBe('kept-in-memory');
    expect(isStorageLasting()).toBe(false);
    expect(() => forgetUser()).not.toThrow();
    expect(readStored('accessToken')).toBeUndefined();
  });

  test('a value that does not fit is in memory', () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });

    writeStored('theme', 'dark');

    expect(readStored('theme')).toBe('dark');
  });
});

test('changes by another tab are reported, for our keys only', () => {
  const heard: string[] = [];
  const stop = onStoredElsewhere((name) => heard.push(name));

  for (const key of ['accessToken', 'theme', 'unknown', null]) {
    window.dispatchEvent(new StorageEvent('storage', { key }));
  }
  stop();
  window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }));

  expect(heard).toEqual(['accessToken', 'theme', 'all']);
});

test('a tab mark lasts as long as the tab', () => {
  tabMarks.write('signed_out', '1');
  expect(tabMarks.read('signed_out')).toBe('1');

  tabMarks.write('signed_out', undefined);
  expect(tabMarks.read('signed_out')).toBeUndefined();
});
