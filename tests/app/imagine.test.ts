/** Imagine Art: its form, and the gallery of its styles. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { imageAbilities, readImageAbilities } from '#contract/endpoints/image-abilities';
import { saveImagine } from '#contract/endpoints/imagine';
import { enhancePrompt } from '#contract/endpoints/prompts';
import { readCapabilities } from '#contract/endpoints/site';
import { generateButton, keptForm, openImagine, ratio, seed, styleMenu } from '#tests/imagine';
import { button, kept, prompt, region } from '#tests/providers';

describe('the form', () => {
  test('starts with the style anime, a square, and no seed', async () => {
    await openImagine();

    expect(prompt()).toHaveValue('');
    expect(styleMenu()).toHaveValue('anime');
    expect(ratio('1:1')).toBeChecked();
    expect(seed()).toHaveValue('');
    expect(generateButton()).toHaveTextContent('Generate Imagine Art');
  });

  test('offers six styles, fifteen ratios, and no style at all', async () => {
    await openImagine();

    expect(
      within(styleMenu())
        .getAllByRole('option')
        .map((option) => option.getAttribute('value')),
    ).toEqual(['', 'anime', 'flux-dev', 'flux-schnell', 'imagine-turbo', 'realistic', 'sdxl-1.0']);
    expect(within(styleMenu()).getByRole('option', { name: 'Select a style' })).toBeInTheDocument();
    expect(screen.getAllByRole('radio')).toHaveLength(15);
  });

  test('is kept on every change, and is there after a reload', async () => {
    const app = await openImagine();

    await app.user.type(prompt(), 'a paper crane');
    await app.user.selectOptions(styleMenu(), 'realistic');
    await app.user.click(ratio('16:9'));
    await app.user.type(seed(), '42');
    expect(kept(keptForm)).toEqual({
      prompt: 'a paper crane',
      style: 'realistic',
      ratio: '16:9',
      seed: 42,
    });
    await app.reload();

    expect(await screen.findByDisplayValue('a paper crane')).toBe(prompt());
    expect(styleMenu()).toHaveValue('realistic');
    expect(ratio('16:9')).toBeChecked();
    expect(seed()).toHaveValue('42');
  });

  test.each([
    ['invalid JSON', '{"prompt'],
    ['another type', '[1]'],
    ['fields with wrong types', '{"prompt":7,"style":"oil","ratio":"8:8","seed":{}}'],
  ])('that is stored as %s starts empty', async (_what, text) => {
    localStorage.setItem(keptForm, text);

    await openImagine();

    expect(prompt()).toHaveValue('');
    expect(styleMenu()).toHaveValue('anime');
    expect(ratio('1:1')).toBeChecked();
    expect(seed()).toHaveValue('');
  });

  test('draws seeds from 0 to 999,999', async () => {
    const app = await openImagine();
    const chance = vi.spyOn(Math, 'random');

    chance.mockReturnValue(0);
    await app.user.click(button('Random seed'));
    expect(seed()).toHaveValue('0');
    chance.mockReturnValue(0.999_999_999);
    await app.user.click(button('Random seed'));
    expect(seed()).toHaveValue('999999');
  });

  test('refuses a seed beyond 999,999', async () => {
    const app = await openImagine();
    await app.user.type(prompt(), 'a paper crane');

    await app.user.type(seed(), '1000000');

    expect(screen.getByText('A seed is a number from 0 to 999,999')).toBeVisible();
    expect(generateButton()).toBeDisabled();
    await app.user.type(seed(), '{Backspace}');
    expect(generateButton()).toBeEnabled();
  });

  test('disables ratios that the server cannot make, and says why', async () => {
    const reason = 'The image service makes only six shapes.';
    await openImagine({
      prepare: (server) => {
        server.refuse(readCapabilities, { status: 200, body: { capabilities: [imageAbilities] } });
        server.refuse(readImageAbilities, {
          status: 200,
          body: {
            providers: {
              'imagine-art': {
                engine: 'imagine',
                ratios: ['1:1', '3:2', '4:3', '3:4', '16:9', '9:16'],
                ratios_reason: reason,
              },
            },
          },
        });
      },
    });

    expect(await screen.findByText(reason)).toBeVisible();
    expect(ratio('2:3')).toBeDisabled();
    expect(ratio('2:3')).toHaveAccessibleDescription(reason);
    const enabled = screen
      .getAllByRole<HTMLInputElement>('radio')
      .filter(({ disabled }) => !disabled)
      .map(({ value }) => value);
    expect(enabled).toEqual(['1:1', '3:2', '16:9', '9:16', '4:3', '3:4']);
    expect(screen.queryByText('Pictures are drawn offline, without AI.')).toBeNull();
  });

  test('says when pictures are drawn without AI', async () => {
    await openImagine({
      prepare: (server) => {
        server.refuse(readCapabilities, { status: 200, body: { capabilities: [imageAbilities] } });
        server.refuse(readImageAbilities, {
          status: 200,
          body: { providers: { 'imagine-art': { engine: 'sketch' } } },
        });
      },
    });

    expect(await screen.findByText('Pictures are drawn offline, without AI.')).toBeVisible();
    expect(ratio('2:3')).toBeEnabled();
  });

  test('can have its prompt enhanced', async () => {
    const { user, server } = await openImagine();
    server.refuse(enhancePrompt, { status: 200, body: { prompt: 'a paper crane at dawn' } });
    await user.type(prompt(), 'a paper crane');

    await user.click(button('Enhance'));

    await waitFor(() => expect(prompt()).toHaveValue('a paper crane at dawn'));
    expect(kept(keptForm)).toMatchObject({ prompt: 'a paper crane at dawn' });
  });
});

describe('the style gallery', () => {
  const gallery = () => region('Style Preview Gallery');

  test('shows each style with title, tags, description and a picture', async () => {
    await openImagine();

    const cards = gallery().getAllByRole('img');
    expect(cards).toHaveLength(6);
    expect(
      gallery()
        .getAllByRole('heading', { level: 3 })
        .map(({ textContent }) => textContent),
    ).toEqual(['Anime', 'Flux Dev', 'Flux Schnell', 'Imagine Turbo', 'Realistic', 'SDXL 1.0']);
    expect(gallery().getAllByRole('list', { name: 'Tags' })).toHaveLength(6);
    expect(gallery().getByText(/^Looks like a photograph/)).toBeVisible();
  });

  test('puts a style into the form', async () => {
    const { user } = await openImagine();

    await user.click(gallery().getByRole('button', { name: 'Use the style Realistic' }));

    expect(styleMenu()).toHaveValue('realistic');
    expect(gallery().getByRole('button', { name: 'In your form' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
  });
});

test('a seed over the limit is not sent by keys either', async () => {
  const app = await openImagine();
  await app.user.type(prompt(), 'a red fox');
  await app.user.type(seed(), '1000000');
  expect(generateButton()).toBeDisabled();

  await app.user.type(seed(), '{Enter}');
  await app.user.type(prompt(), '{Control>}{Enter}{/Control}');

  expect(app.server.requestsTo(saveImagine)).toEqual([]);
});

test('a seed may be as large as the engine takes', async () => {
  const app = await openImagine({
    prepare: (server) => {
      server.refuse(readCapabilities, { status: 200, body: { capabilities: [imageAbilities] } });
      server.refuse(readImageAbilities, {
        status: 200,
        body: { providers: { 'imagine-art': { seed: { min: '0', max: '5000000' } } } },
      });
    },
  });
  await app.user.type(prompt(), 'a red fox');

  await app.user.type(seed(), '5000000');
  await waitFor(() => expect(generateButton()).toBeEnabled());
  await app.user.type(seed(), '0');
  expect(generateButton()).toBeDisabled();
  expect(seed()).toHaveAccessibleDescription(/5,000,000/);
});
