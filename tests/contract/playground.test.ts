/**
 * The table of the public API, from which the form, the address, the checks and the document are
 * made.
 */
import { describe, expect, test } from 'vitest';

import { publicEndpoints } from '#contract/playground/endpoints';
import { findMistake, requestPath } from '#contract/playground/public-endpoint';
import { entry } from '#tests/public-api';

const downloads = publicEndpoints.filter(({ category }) => category === 'Downloaders');

describe('the table', () => {
  test('contains every endpoint of the specification exactly once', () => {
    expect(publicEndpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /anime/sfw',
      'GET /anime/nsfw',
      'GET /anime/pixiv',
      'GET /anime/kemono',
      'GET /hanime',
      'GET /anilist/character',
      'GET /anilist/anime',
      'GET /anilist/waifu',
      'GET /douyin',
      'GET /tk',
      'GET /fb',
      'GET /insta',
      'GET /x',
      'GET /pin',
      'GET /threads',
      'GET /tts/synthesize',
      'GET /tts/categories',
      'GET /tts/characters/:category',
      'GET /anime-tts/synthesize',
      'GET /anime-tts/categories',
      'GET /anime-tts/characters/:category',
      'GET /others-tts/synthesize',
      'GET /others-tts/categories',
      'GET /others-tts/characters/:category',
    ]);
    expect(new Set(publicEndpoints.map(({ id }) => id)).size).toBe(publicEndpoints.length);
  });

  test('gives each endpoint a name of its own', () => {
    const names = publicEndpoints.map(({ name }) => name);

    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test('has only a page, a query and a link as required parameters', () => {
    const required = publicEndpoints
      .filter(({ isSupporting }) => !isSupporting)
      .flatMap(({ id, parameters }) =>
        parameters.filter((one) => one.required).map(({ name }) => `${id} ${name}`),
      );

    expect(required).toEqual([
      'hanime page',
      'anilist-anime query',
      ...downloads.map(({ id }) => `${id} url`),
    ]);
  });

  test('offers four languages, with English and a greeting as the defaults', () => {
    const parameters = entry('tts-synthesize').parameters;

    expect(parameters.map(({ name }) => name)).toEqual([
      'category',
      'character',
      'text',
      'language',
    ]);
    expect(parameters.find(({ name }) => name === 'text')?.defaultValue).toBe('Hello, world!');
    expect(parameters.find(({ name }) => name === 'language')).toMatchObject({
      options: ['en', 'ja', 'zh', 'ko'],
      defaultValue: 'en',
    });
  });
});

describe('the form', () => {
  test('finds the errors that the server would refuse, parameter by parameter', () => {
    const [page] = entry('hanime').parameters;
    const [url] = entry('threads').parameters;
    if (!page || !url) {
      throw new Error('The parameters are gone');
    }

    expect(findMistake(page, undefined)).toBe('page is required');
    expect(findMistake(page, '-1')).toBe('page must be a whole number from 1');
    expect(findMistake(page, ' 12 ')).toBeUndefined();
    expect(findMistake(url, 'https://example.org/')).toBe('url must be a link to threads.com');
    expect(findMistake(url, 'https://www.threads.net/@a/post/b')).toBeUndefined();
  });

  test.each(['es', 'ca', 'com.au', 'co.uk', 'com.mx', 'it', 'nl', 'pt', 'ch', 'co.kr', 'nz'])(
    'takes a link to a pin on pinterest.%s',
    (country) => {
      const [url] = entry('pin').parameters;

      expect(url && findMistake(url, `https://www.pinterest.${country}/pin/1/`)).toBeUndefined();
    },
  );

  test.each([
    'pinterest.example.org',
    'pinterest.evil',
    'notpinterest.es',
    'pinterest.com.evil.es',
  ])('takes no link to %s for one to a pin', (host) => {
    const [url] = entry('pin').parameters;

    expect(url && findMistake(url, `https://${host}/pin/1/`)).toBe(
      'url must be a link to pinterest.com',
    );
  });

  test('sends only values that are not empty, each in its place', () => {
    expect(requestPath(entry('anime-sfw'), { character: '' })).toBe('/anime/sfw');
    expect(requestPath(entry('anilist-anime'), { query: 'a&b c', other: 'x' })).toBe(
      '/anilist/anime?query=a%26b+c',
    );
    expect(requestPath(entry('tts-characters'), { category: 'A/B' })).toBe('/tts/characters/A%2FB');
  });

  test.each(publicEndpoints)('has valid examples for $id', ({ parameters, examples }) => {
    for (const example of examples) {
      const known = parameters.map(({ name }) => name);
      expect(known).toEqual(expect.arrayContaining(Object.keys(example.parameters)));
      const mistakes = parameters.map((one) => findMistake(one, example.parameters[one.name]));
      expect(mistakes.filter(Boolean)).toEqual([]);
    }
  });
});
