/** The generator's form: its fields, and the request it sends. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { readModelInfo } from '#contract/endpoints/generations';
import { generate, generateWithLoras } from '#contract/endpoints/images';
import { queryModels } from '#contract/endpoints/models';
import {
  addLora,
  button,
  field,
  fillIn,
  finished,
  generateButton,
  generatorPath,
  loras,
  model,
  openGenerator,
  ratio,
  result,
  typeModelId,
  weigh,
  sentRequests,
} from '#tests/generator';
import { answerWith } from '#tests/hub';
import { renderApp } from '#tests/render-app';

describe('a new form', () => {
  test('has every field, with its defaults', async () => {
    await openGenerator();

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
    await app.user.clear(field('Model ID'));

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
      await app.user.clear(field('Model ID'));

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
    expect(await model().findByText('Tide Pool')).toBeVisible();
    await app.user.click(generateButton());
    await finished('a red fox');

    expect(result().getByText('Tide Pool')).toBeVisible();
    expect(app.server.requestsTo(readModelInfo)).toHaveLength(1);
  });

  test('is requested once, also after a reload', async () => {
    const app = await openGenerator();
    app.server.refuse(readModelInfo, { status: 200, body: { name: 'Tide Pool', type: 'SD_V1' } });
    await app.user.clear(field('Model ID'));
    await typeModelId('1001');
    await model().findByText('Tide Pool');

    await app.reload();
    await screen.findByRole('button', { name: 'Change' });

    expect(await model().findByText('Tide Pool')).toBeVisible();
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
    await app.user.clear(field('Model ID'));
    await typeModelId('2001');

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

describe('the first visit', () => {
  const sdxl = (id: string, more: object = {}) => ({
    id: `9${id}`,
    title: `Model ${id}`,
    type: 'SDXL_MODEL',
    isNsfw: false,
    media: { urls: [{ variant: 'PUBLIC', url: `https://pictures.example/${id}.png` }] },
    latestAvailableVersion: { id },
    ...more,
  });
  const lora = sdxl('500', { title: 'A LoRA', type: 'SDXL_LORA' });

  /** Opens the generator of a server whose catalogue answers like this. */
  async function openWith(answer: ReturnType<typeof answerWith> | { status: number }) {
    const app = await renderApp('/credits');
    app.server.refuse(queryModels, answer);
    app.goTo(generatorPath);
    await screen.findByRole('group', { name: 'Model' });
    return app;
  }

  test('has the first model of the catalogue that is no LoRA', async () => {
    const app = await openWith(answerWith([lora, sdxl('501'), sdxl('502')]));

    expect(await model().findByText('Model 501')).toBeVisible();
    expect(model().getByText('sdxl_model')).toBeVisible();
    expect(model().queryByRole('textbox', { name: 'Model ID' })).toBeNull();
    // Nothing is the user's yet.
    expect(localStorage.getItem('nori_selected_model')).toBeNull();
    expect(app.server.requestsTo(readModelInfo)).toEqual([]);

    await app.user.type(field('Prompt'), 'a fox');
    await app.user.click(generateButton());
    await finished('a fox');

    expect(sentRequests(app)).toMatchObject([{ model_id: '501' }]);
    expect(app.server.requestsTo(queryModels)).toHaveLength(1);
    expect(JSON.parse(localStorage.getItem('nori_selected_model') ?? '')).toEqual({
      modelId: '501',
      modelName: 'Model 501',
    });
  });

  test('asks for no catalogue when the device has a model', async () => {
    localStorage.setItem(
      'nori_selected_model',
      JSON.stringify({ modelId: '1001', modelName: 'Tide Pool' }),
    );

    const app = await openWith(answerWith([sdxl('501')]));

    expect(await model().findByText('Tide Pool')).toBeVisible();
    expect(model().getByRole('button', { name: 'Change' })).toBeVisible();
    expect(app.server.requestsTo(queryModels)).toEqual([]);
  });

  test('says when the catalogue cannot be loaded, and takes an ID meanwhile', async () => {
    const app = await openWith({ status: 400 });

    expect(await model().findByRole('alert')).toHaveTextContent('The models could not be loaded.');
    expect(field('Model ID')).toHaveValue('');
    app.server.refuse(queryModels, answerWith([sdxl('501')]));
    await app.user.click(model().getByRole('button', { name: 'Try again' }));
    expect(await model().findByText('Model 501')).toBeVisible();
  });

  test('with an ID that is typed while the catalogue cannot be loaded keeps that', async () => {
    const app = await openWith({ status: 400 });
    await model().findByRole('alert');

    await fillIn(app, 'a fox', '1001');

    expect(model().getByRole('button', { name: 'Change' })).toBeVisible();
    expect(generateButton()).toBeEnabled();
  });

  test('takes an ID where there are no models', async () => {
    await openWith(answerWith([]));

    expect(await model().findByText(/^There are no models here/)).toBeVisible();
    expect(field('Model ID')).toBeVisible();
    expect(generateButton()).toBeDisabled();
  });

  test('leaves the field of the ID empty when the user empties it', async () => {
    const app = await openGenerator();

    await app.user.clear(field('Model ID'));

    expect(model().getByText('No model chosen')).toBeVisible();
    expect(model().getByRole('button', { name: 'Choose' })).toBeVisible();
    expect(field('Model ID')).toHaveValue('');
  });

  test('shows a cover for adults after the question for the age', async () => {
    const app = await openWith(answerWith([sdxl('501', { isNsfw: true })]));
    await model().findByText('Model 501');

    await app.user.click(model().getByRole('button', { name: 'Show pictures for adults' }));
    const question = within(await screen.findByRole('dialog', { name: 'Age Confirmation' }));
    await app.user.click(question.getByRole('button', { name: 'I am 18+' }));

    await waitFor(() =>
      expect(model().queryByRole('button', { name: 'Show pictures for adults' })).toBeNull(),
    );
  });
});

describe('the options', () => {
  test('say in a line what is set', async () => {
    const app = await openGenerator();
    expect(screen.getByText('1:1 · random seed')).toBeVisible();

    await app.user.click(ratio('16:9'));
    await app.user.type(field('Seed'), '42');
    await addLora(app, '2001');
    await addLora(app, '2002');
    await app.user.type(field('Negative Prompt'), 'blur');
    await app.user.click(screen.getByRole('checkbox', { name: 'NSFW' }));
    await app.user.click(button('Options'));

    expect(screen.getByText('16:9 · seed 42 · 2 LoRAs · negative prompt · NSFW')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Seed' })).toBeNull();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  test('unfold by themselves where something in them is wrong', async () => {
    localStorage.setItem(
      'nori_form_state',
      JSON.stringify({ prompt: 'a fox', modelId: '1001', negativePrompt: 'x'.repeat(4001) }),
    );

    await renderApp(generatorPath);

    expect(await screen.findByRole('textbox', { name: 'Negative Prompt' })).toBeInvalid();
    expect(screen.getByText(/^negative prompt too long · 1:1/)).toBeVisible();
    expect(generateButton()).toBeDisabled();
  });

  test('stay as they were while the user visits another screen', async () => {
    const app = await openGenerator();
    expect(field('Seed')).toBeVisible();

    app.goTo('/credits');
    await screen.findByRole('heading', { level: 1, name: 'Models' });
    app.goTo(generatorPath);

    expect(await screen.findByRole('textbox', { name: 'Seed' })).toBeVisible();
  });
});

test('the field of the ID is shown by itself when the ID is wrong', async () => {
  localStorage.setItem('nori_form_state', JSON.stringify({ modelId: 'who knows?' }));

  await renderApp(generatorPath);

  expect(await screen.findByRole('textbox', { name: 'Model ID' })).toBeInvalid();
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
