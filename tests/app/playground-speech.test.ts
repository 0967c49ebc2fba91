/** The forms for speech: selects whose options are read from the public API. */
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { field, openPlayground, sentUrls, findWire } from '#tests/playground';

describe('speech', () => {
  const category = () => screen.getByRole('combobox', { name: 'category' });
  const character = () => screen.getByRole('combobox', { name: 'character' });

  test('starts with an English sentence, and offers four languages', async () => {
    await openPlayground('?endpoint=tts-synthesize');

    const language = screen.getByRole('combobox', { name: 'language' });
    expect(field('text')).toHaveValue('Hello, world!');
    expect(language).toHaveValue('en');
    expect([...language.querySelectorAll('option')].map(({ value }) => value)).toEqual([
      'en',
      'ja',
      'zh',
      'ko',
    ]);
  });

  test('offers the characters of the chosen category, and clears the one of another', async () => {
    const { user } = await openPlayground('?endpoint=tts-synthesize', {
      answers: {
        'tts-categories': { categories: ['Calm', 'Loud'] },
        'tts-characters': { characters: ['Ann', 'Bob'] },
      },
    });

    await within(category()).findByRole('option', { name: 'Calm' });
    expect(within(character()).queryByRole('option', { name: 'Ann' })).toBeNull();
    await user.selectOptions(category(), 'Calm');
    await within(character()).findByRole('option', { name: 'Ann' });
    await user.selectOptions(character(), 'Ann');
    expect(character()).toHaveValue('Ann');
    await user.selectOptions(category(), 'Loud');

    expect(character()).toHaveValue('');
  });

  test('an example changes only what it names: the chosen category and voice stay', async () => {
    const { user } = await openPlayground('?endpoint=tts-synthesize', {
      answers: {
        'tts-categories': { categories: ['Calm', 'Loud'] },
        'tts-characters': { characters: ['Ann', 'Bob'] },
      },
    });
    await within(category()).findByRole('option', { name: 'Calm' });
    await user.selectOptions(category(), 'Calm');
    await within(character()).findByRole('option', { name: 'Bob' });
    await user.selectOptions(character(), 'Bob');

    await user.click(screen.getByRole('button', { name: 'Load: Korean' }));

    expect(field('text')).toHaveValue('안녕하세요, 세계');
    expect(screen.getByRole('combobox', { name: 'language' })).toHaveValue('ko');
    expect(category()).toHaveValue('Calm');
    expect(character()).toHaveValue('Bob');
  });

  test('the third collection always reads the characters of Others', async () => {
    const { user, server } = await openPlayground('?endpoint=others-tts-synthesize', {
      answers: {
        'others-tts-categories': { categories: ['Others', 'More'] },
        'others-tts-characters': { characters: ['Ann'] },
      },
    });

    await within(character()).findByRole('option', { name: 'Ann' });
    await within(category()).findByRole('option', { name: 'More' });
    await user.selectOptions(category(), 'More');
    expect(within(character()).getByRole('option', { name: 'Ann' })).toBeInTheDocument();

    expect(sentUrls(server, 'others-tts-characters')).toEqual([
      '/public-api/others-tts/characters/Others',
    ]);
  });

  test('shows what could not be fetched, and tries again', async () => {
    const { user, server } = await openPlayground('?endpoint=tts-synthesize', {
      answers: { 'tts-characters': 'refused', 'tts-categories': 'refused' },
    });

    expect(await screen.findByText('Failed to fetch TTS categories')).toBeVisible();
    server.refuse(findWire('tts-categories'), { status: 200, body: { categories: ['Calm'] } });
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await within(category()).findByRole('option', { name: 'Calm' });
    expect(screen.queryByText('Failed to fetch TTS categories')).toBeNull();
    await user.selectOptions(category(), 'Calm');

    expect(await screen.findByText('Failed to fetch TTS characters')).toBeVisible();
  });
});
