/** The generator's form: its fields, and the request it sends. */
import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { readModelInfo } from '#contract/endpoints/generations';
import { generate, generateWithLoras } from '#contract/endpoints/images';
import {
  addLora,
  button,
  field,
  fillIn,
  finished,
  generateButton,
  loras,
  openGenerator,
  ratio,
  result,
  typeModelId,
  weigh,
  sentRequests,
} from '#tests/generator';

describe('a new form', () => {
  test('has every field, with its defaults', async () => {
    await openGenerator();

    expect(field('Model ID')).toHaveValue('');
    expect(field('Model ID')).toBeRequired();
    expect(field('Prompt')).toHaveValue('');
    expect(field('Prompt')).toBeRequired();
    expect(field('Negative Prompt')).toHaveValue('');
    expect(field('Negative Prompt')).not.toBeRequired();
    expect(field('Seed')).toHaveAttribute('placeholder', 'Random if empty');
    expect(screen.getByRole('checkbox', { name: 'NSFW' })).not.toBeChecked();
    expect(ratio('1:1')).toBeChecked();
    expect(loras().getByText('0/15')).toBeVisible();
    expect(result().getByText('Generated images will appear here')).toBeVisible();
    expect(
      screen.getByText(
        'Images will be generated in the background. You can continue browsing models while waiting.',
      ),
    ).toBeVisible();
  });

  test('offers the 15 aspect ratios in one group', async () => {
    await openGenerator();

    const group = within(screen.getByRole('group', { name: 'Aspect Ratio' }));
    expect(group.getAllByRole('radio').map((radio) => radio.getAttribute('value'))).toEqual(
      '1:1 3:2 2:3 16:9 9:16 4:3 3:4 5:4 4:5 21:9 9:21 5:3 3:5 8:5 5:8'.split(' '),
    );
  });

  test('cannot be sent without a model and a prompt', async () => {
    const app = await openGenerator();

    expect(generateButton()).toBeDisabled();
    await typeModelId('1001');
    expect(generateButton()).toBeDisabled();
    await app.user.type(field('Prompt'), '   ');
    expect(generateButton()).toBeDisabled();
    await app.user.type(field('Prompt'), 'a fox');

    expect(generateButton()).toBeEnabled();
  });

  test.each(['Model ID', 'Seed'])(
    'says what is missing when Enter is pressed in %s',
    async (name) => {
      const app = await openGenerator();

      await app.user.type(field(name), '{Enter}');

      expect(await result().findByRole('alert')).toHaveTextContent(
        'Please specify a model ID and enter a prompt',
      );
      expect(sentRequests(app)).toEqual([]);
    },
  );
});

describe('the request', () => {
  test('has every field, without LoRAs', async () => {
    const app = await openGenerator();
    await fillIn(app, '  a red fox  ');

    await app.user.click(generateButton());
    await finished('a red fox');

    expect(app.server.requestsTo(generateWithLoras)).toEqual([]);
    expect(app.server.requestsTo(generate).map(({ body }) => body)).toEqual([
      {
        prompt: 'a red fox',
        model_id: '1001',
        negative_prompt: '',
        seed: '',
        nsfw: false,
        ratio: '1:1',
        scale: 6,
        is_direct_image: true,
        job_key: expect.stringMatching(/^[\w-]{22,64}$/),
      },
    ]);
  });

  test('has everything that can be chosen: LoRAs as factors, the seed as text', async () => {
    const app = await openGenerator();
    await fillIn(app);
    await addLora(app, '2001');
    await addLora(app, '2002');
    await weigh(app, '2002', '110.5');
    await app.user.type(field('Negative Prompt'), 'blur');
    await app.user.type(field('Seed'), '7000000000');
    await app.user.click(ratio('16:9'));
    await app.user.click(screen.getByRole('checkbox', { name: 'NSFW' }));

    await app.user.click(generateButton());
    await finished('a red fox');

    expect(app.server.requestsTo(generate)).toEqual([]);
    expect(app.server.requestsTo(generateWithLoras)[0]?.body).toMatchObject({
      prompt: 'a red fox',
      model_id: '1001',
      negative_prompt: 'blur',
      seed: '7000000000',
      nsfw: true,
      ratio: '16:9',
      scale: 6,
      is_direct_image: true,
      loras: { '2001': 0.7, '2002': 1.105 },
    });
  });

  test('leaves out LoRAs without an ID, and uses the plain endpoint when none remains', async () => {
    localStorage.setItem(
      'nori_form_state',
      JSON.stringify({ prompt: 'a fox', modelId: '1001', loras: [{ id: ' ', percentage: 70 }] }),
    );
    const app = await openGenerator();
    expect(loras().getByText('No ID: it will be left out')).toBeVisible();

    await app.user.click(generateButton());
    await finished('a fox');

    expect(sentRequests(app)).toHaveLength(1);
    expect(sentRequests(app)[0]).not.toHaveProperty('loras');
  });

  test('is also sent by Ctrl+Enter in the prompt', async () => {
    const app = await openGenerator();
    await fillIn(app);

    await app.user.type(field('Prompt'), '{Control>}{Enter}{/Control}');

    await finished('a red fox');
    expect(sentRequests(app)).toHaveLength(1);
  });
});

describe('the seed', () => {
  test('from the button is an integer between 1,000,000,000 and 10,000,000,000', async () => {
    const app = await openGenerator();
    const chance = vi.spyOn(Math, 'random');

    chance.mockReturnValue(0);
    await app.user.click(button('Random seed'));
    expect(field('Seed')).toHaveValue('1000000000');
    chance.mockReturnValue(1 - Number.EPSILON / 2);
    await app.user.click(button('Random seed'));

    expect(field('Seed')).toHaveValue('10000000000');
  });

  test.each([
    ['42', '42'],
    ['007', '7'],
    ['12.9', '12'],
    ['12abc', '12'],
    ['abc', ''],
    ['-5', ''],
    ['9007199254740993', '9007199254740993'],
  ])('pasted as %j is %j', async (pasted, seed) => {
    const app = await openGenerator();

    await app.user.click(field('Seed'));
    await app.user.paste(pasted);

    expect(field('Seed')).toHaveValue(seed);
  });
});

describe('the model', () => {
  test('is shown by its name when the server knows it, and the picture gets that name', async () => {
    const app = await openGenerator();
    app.server.refuse(readModelInfo, { status: 200, body: { name: 'Tide Pool', type: 'SD_V1' } });

    await fillIn(app);
    expect(await screen.findByText('Model: Tide Pool')).toBeVisible();
    await app.user.click(generateButton());
    await finished('a red fox');

    expect(result().getByText('Tide Pool')).toBeVisible();
    expect(app.server.requestsTo(readModelInfo)).toHaveLength(1);
  });

  test('is requested once, also after a reload', async () => {
    const app = await openGenerator();
    app.server.refuse(readModelInfo, { status: 200, body: { name: 'Tide Pool', type: 'SD_V1' } });
    await typeModelId('1001');
    await screen.findByText('Model: Tide Pool');

    await app.reload();

    expect(await screen.findByText('Model: Tide Pool')).toBeVisible();
    expect(app.server.requestsTo(readModelInfo)).toHaveLength(1);
  });

  test('that the server does not know is shown by its ID', async () => {
    const app = await openGenerator();
    app.server.refuse(readModelInfo, { status: 500 });
    await fillIn(app);

    await app.user.click(generateButton());
    await finished('a red fox');

    expect(result().getByText('1001')).toBeVisible();
  });

  test('that is a LoRA can be moved to the LoRAs', async () => {
    const app = await openGenerator();
    app.server.refuse(readModelInfo, { status: 200, body: { name: 'Glow', type: 'SDXL_LORA' } });
    await app.user.type(field('Model ID'), '2001');

    await app.user.click(await screen.findByRole('button', { name: 'Add it as a LoRA instead' }));

    expect(field('Model ID')).toHaveValue('');
    expect(loras().getByText('Glow')).toBeVisible();
  });

  test('with an impossible ID is not sent', async () => {
    const app = await openGenerator();

    await fillIn(app, 'a fox', 'who knows?');

    expect(field('Model ID')).toHaveAccessibleDescription(/has only letters, digits/);
    expect(generateButton()).toBeDisabled();
  });
});

test('a prompt that is too long is marked, and not cut off', async () => {
  const app = await openGenerator();
  await fillIn(app);

  await app.user.click(field('Prompt'));
  await app.user.paste('x'.repeat(4000));

  expect(field('Prompt')).toHaveAccessibleDescription(/^At most 4000 characters: 4,009 \/ 4,000/);
  expect(generateButton()).toBeDisabled();
});

test.each([
  ['a prompt that is too long', { prompt: 'x'.repeat(4001), modelId: '1001' }],
  ['an impossible model ID', { prompt: 'a fox', modelId: 'who knows?' }],
])('%s is not sent by keys either', async (_what, form) => {
  localStorage.setItem('nori_form_state', JSON.stringify(form));
  const app = await openGenerator();
  expect(generateButton()).toBeDisabled();

  await app.user.type(field('Prompt'), '{Control>}{Enter}{/Control}');
  await app.user.type(field('Model ID'), '{Enter}');

  expect(sentRequests(app)).toEqual([]);
  expect(result().getByText('Generated images will appear here')).toBeVisible();
});
