/** The environment: services that commands of the bot use. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { readEnv } from '#server/app/env';

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'nori-env-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test('services of commands are connected by their variables', () => {
  const env = readEnv({
    NORI_DATA_DIR: dataDir,
    TRANSLATE: 'mymemory',
    WIKIMEDIA_CONTACT: 'owner@example.org',
    WEATHER: 'open-meteo',
    ADULT: 'on',
  });

  expect(env.translate).toEqual({
    protocol: 'mymemory',
    root: 'https://api.mymemory.translated.net',
  });
  expect(env.wikimedia).toEqual({ contact: 'owner@example.org', root: 'https://{host}' });
  expect(env.weather).toEqual({ root: 'https://{host}' });
  expect(env.allowsAdult).toBe(true);
});

test('a server of LibreTranslate is asked rather than MyMemory', () => {
  const env = readEnv({
    NORI_DATA_DIR: dataDir,
    TRANSLATE: 'mymemory',
    TRANSLATE_URL: 'http://localhost:5000',
    TRANSLATE_API_KEY: 'a-key',
  });

  expect(env.translate).toEqual({
    protocol: 'libretranslate',
    root: 'http://localhost:5000',
    apiKey: 'a-key',
  });
});

test.each(['WIKIMEDIA_ROOT', 'OPEN_METEO_ROOT'])('%s says where its hosts are', (name) => {
  const read = (value: string) => readEnv({ NORI_DATA_DIR: dataDir, [name]: value });
  const message = `${name}: must be an address such as https://{host}`;
  expect(() => read('https://{host}/')).not.toThrow();
  expect(() => read('http://127.0.0.1:1234/{host}')).not.toThrow();
  expect(() => read('https://wiki.example.org')).toThrow(message);
  expect(() => read('{host}')).toThrow(message);
  expect(() => read('ftp://{host}')).toThrow(message);
});
