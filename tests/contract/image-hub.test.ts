/**
 * What is sent to the image hub's providers, and which answers of other backends are understood.
 */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { splitInput } from '#contract/endpoints/endpoint';
import { imageAbilities, readImageAbilities } from '#contract/endpoints/image-abilities';
import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import { listKusaStyles } from '#contract/endpoints/kusa';
import {
  downloadMidjourney,
  generateMidjourney,
  listMidjourneyHistory,
} from '#contract/endpoints/midjourney';
import {
  defaultImagineStyle,
  imagineRatios,
  imagineSeed,
  imagineStyles,
} from '#contract/images/imagine-styles';

const imagine = {
  prompt: ' a lighthouse ',
  style: defaultImagineStyle,
  aspect_ratio: '3:2',
} as const;

describe('a request to Imagine Art', () => {
  test.each([
    [undefined, ''],
    [null, ''],
    ['', ''],
    [0, '0'],
    [999_999, '999999'],
    ['1234567890123', '1234567890123'],
  ])('sends the seed %j as %j', (seed, expected) => {
    expect(v.parse(saveImagine.input, { ...imagine, seed })).toMatchObject({
      prompt: 'a lighthouse',
      seed: expected,
    });
  });

  test.each([
    ['without a prompt', { prompt: '  ' }],
    ['without a style', { style: '' }],
    ['in an unknown style', { style: 'flux-dev-fast' }],
    ['without a ratio', { aspect_ratio: undefined }],
  ])('%s is refused with a sentence about the missing value', (_case, wrong) => {
    const parsed = v.safeParse(saveImagine.input, { ...imagine, ...wrong });

    expect(parsed.issues?.map(({ message }) => message)).toContain(
      'Please fill in prompt, style, and ratio.',
    );
  });

  test.each([1.5, -1, 'twelve'])('refuses the seed %j', (seed) => {
    expect(v.safeParse(saveImagine.input, { ...imagine, seed }).success).toBe(false);
  });

  test('accepts six styles and the six ratios of the service', () => {
    expect(imagineStyles).toEqual([
      'anime',
      'flux-dev',
      'flux-schnell',
      'imagine-turbo',
      'realistic',
      'sdxl-1.0',
    ]);
    expect(imagineRatios).toHaveLength(6);
    expect(imagineSeed).toEqual({ min: 0, max: 999_999 });
  });
});

test('a request to MidJourney is a prompt', () => {
  expect(v.safeParse(generateMidjourney.input, { prompt: ' ' }).issues?.[0].message).toBe(
    'Please enter a prompt',
  );
  expect(v.parse(generateMidjourney.output, { s3_urls: ['/a.png'], extra: 1 }).s3_urls).toEqual([
    '/a.png',
  ]);
  expect(v.safeParse(generateMidjourney.output, { id: 1, s3_urls: [] }).success).toBe(false);
});

test('the user of a history and the address of a picture are sent in the query', () => {
  const path = '/pixai/api/v1/api/history/imagine/urls';
  const url = 'https://cdn.example.org/a b.png';

  expect(splitInput(listImagineHistory, { user_id: '7' })).toEqual({
    path,
    query: { user_id: '7' },
    body: {},
  });
  expect(splitInput(downloadMidjourney, { url }).query).toEqual({ url });
  expect(splitInput(listMidjourneyHistory, {}).query).toEqual({});
});

describe('the styles of Kusa', () => {
  const ink = { id: 7, name: 'ink', og_name: 'Ink Wash', image_url: '/ink.webp' };
  const read = { ...ink, id: '7' };

  test.each([
    ['as the specification has them', { styles: { styles: [ink] } }],
    ['with one level less', { styles: [ink] }],
    ['as a bare list', [ink]],
    ['among invalid items', { styles: { styles: [null, 'x', { name: 'no id' }, ink] } }],
  ])('are read %s', (_case, body) => {
    expect(v.parse(listKusaStyles.output, body)).toEqual({ styles: { styles: [read] } });
  });

  test.each([null, 'styles', { styles: 'none' }, { hello: [] }])('are not read from %j', (body) => {
    expect(v.safeParse(listKusaStyles.output, body).success).toBe(false);
  });
});

test('abilities name the possible ratios and why others are impossible', () => {
  const providers = {
    midjourney: { engine: 'sketch', pictures: 4 },
    'imagine-art': { engine: 'imagine', ratios: ['1:1'], ratios_reason: 'Only squares.' },
    pixai: { max_loras: 15, lora_weight: { min: 0, max: 1 }, seed: { min: '0', max: '99' } },
  };

  expect(v.parse(readImageAbilities.output, { providers })).toEqual({ providers });
  expect(imageAbilities).toBe('generations.abilities');
});
