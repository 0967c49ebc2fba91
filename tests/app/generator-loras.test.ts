/** The LoRAs of the generator's form, their weights and trigger words; and its steps and sampler. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { readModelInfo } from '#contract/endpoints/generations';
import { imageAbilities, readImageAbilities } from '#contract/endpoints/image-abilities';
import { readCapabilities } from '#contract/endpoints/site';
import { type Network } from '#tests/app-server';
import {
  addLora,
  field,
  fillIn,
  keptForm,
  loras,
  openGenerator,
  unfold,
  weigh,
  weight,
  sentRequests,
} from '#tests/generator';

test('are added with 70 percent, and removed', async () => {
  const app = await openGenerator();

  await addLora(app, '2001');
  expect(weight('2001')).toHaveValue('70');
  expect(loras().getByText('1/15')).toBeVisible();
  await app.user.click(loras().getByRole('button', { name: 'Remove 2001' }));
  expect(screen.getByRole('region', { name: 'LoRAs' })).toHaveFocus();

  expect(loras().queryByRole('listitem')).toBeNull();
  expect(loras().getByText('0/15')).toBeVisible();
});

test.each([
  ['250', '200'],
  ['-3', '0'],
  ['abc', '0'],
  ['', '0'],
  ['1.5', '1.5'],
  ['33,3', '33.3'],
  ['66.66', '66.7'],
])('a weight typed as %j is %s', async (typed, kept) => {
  const app = await openGenerator();
  await addLora(app, '2001');

  await weigh(app, '2001', typed);
  await app.user.tab();

  expect(weight('2001')).toHaveValue(kept);
});

test('a weight goes up and down by 0.1 with the arrow keys, within 0 and 200', async () => {
  const app = await openGenerator();
  await addLora(app, '2001');

  await app.user.click(weight('2001'));
  await app.user.keyboard('{ArrowUp}');
  expect(weight('2001')).toHaveValue('70.1');
  await app.user.keyboard('{ArrowDown}{ArrowDown}');

  expect(weight('2001')).toHaveValue('69.9');
  const slider = loras().getByRole('slider', { name: 'Weight of 2001' });
  expect(slider).toHaveAttribute('min', '0');
  expect(slider).toHaveAttribute('max', '200');
  expect(slider).toHaveAttribute('step', '0.1');
});

test('are not added twice, nor beyond 15, nor with an impossible ID', async () => {
  const app = await openGenerator();
  await addLora(app, '2001');
  const input = loras().getByRole('textbox', { name: 'LoRA ID' });

  await app.user.type(input, '2001');
  expect(loras().getByText('This LoRA is in the list already.')).toBeVisible();
  expect(loras().getByRole('button', { name: 'Add LoRA' })).toBeDisabled();
  await app.user.clear(input);
  await app.user.type(input, 'no such/thing?{Enter}');
  expect(loras().getByRole('alert')).toHaveTextContent('has only letters, digits');
  await app.user.clear(input);
  for (let id = 2002; id <= 2015; id += 1) {
    await addLora(app, String(id));
  }

  expect(input).toBeDisabled();
  expect(input).toHaveAccessibleDescription('A picture can have at most 15 LoRAs.');
  expect(loras().getByText('15/15')).toBeVisible();
  expect(sentRequests(app)).toEqual([]);
});

test('show their trigger words, which a press adds to the prompt or removes', async () => {
  const app = await openGenerator();
  app.server.refuse(readModelInfo, {
    status: 200,
    body: { name: 'Glow', type: 'LORA', trigger_words: ['glow style', 'neon'] },
  });
  await fillIn(app);
  await addLora(app, '2001');

  const words = within(await screen.findByRole('group', { name: 'Trigger words of Glow' }));
  await app.user.click(words.getByRole('button', { name: 'glow style' }));
  expect(field('Prompt')).toHaveValue('a red fox, glow style');
  expect(words.getByRole('button', { name: 'glow style' })).toBePressed();
  expect(words.getByRole('button', { name: 'neon' })).not.toBePressed();
  await app.user.click(words.getByRole('button', { name: 'glow style' }));

  expect(field('Prompt')).toHaveValue('a red fox');
});

test('trigger words that the user has typed are recognised, and not added again', async () => {
  const app = await openGenerator();
  app.server.refuse(readModelInfo, {
    status: 200,
    body: { name: 'Glow', type: 'LORA', trigger_words: ['glow style'] },
  });
  await fillIn(app, 'a fox, (Glow Style:1.2), at night');
  await addLora(app, '2001');

  const chip = await screen.findByRole('button', { name: 'glow style' });
  expect(chip).toBePressed();
  await app.user.click(chip);

  expect(field('Prompt')).toHaveValue('a fox, at night');
});

test.each([
  ['at once', async () => {}],
  [
    'and after a reload',
    async (app: Awaited<ReturnType<typeof openGenerator>>) => {
      await app.reload();
      await unfold(app);
      await screen.findByDisplayValue('a fox, neon, glow style');
    },
  ],
])(
  'take with them the words that a press has put there, and leave those that were typed: %s',
  async (_when, pass) => {
    const app = await openGenerator();
    app.server.refuse(readModelInfo, {
      status: 200,
      body: { name: 'Glow', type: 'LORA', trigger_words: ['glow style', 'neon'] },
    });
    await fillIn(app, 'a fox, neon');
    await addLora(app, '2001');
    await app.user.click(await screen.findByRole('button', { name: 'glow style' }));
    expect(field('Prompt')).toHaveValue('a fox, neon, glow style');
    await pass(app);

    await app.user.click(loras().getByRole('button', { name: 'Remove Glow' }));

    expect(field('Prompt')).toHaveValue('a fox, neon');
    expect(screen.queryByRole('group', { name: 'Trigger words of Glow' })).toBeNull();
  },
);

test('when removed, leave a word that another LoRA needs, too', async () => {
  const app = await openGenerator();
  app.server.refuse(readModelInfo, {
    status: 200,
    body: { name: 'Glow', type: 'LORA', trigger_words: ['glow style'] },
  });
  await fillIn(app, 'a fox');
  await addLora(app, '2001');
  await addLora(app, '2002');
  await waitFor(() =>
    expect(screen.getAllByRole('group', { name: 'Trigger words of Glow' })).toHaveLength(2),
  );
  await app.user.click(screen.getAllByRole('button', { name: 'glow style' })[0]!);
  const remove = async () =>
    app.user.click(loras().getAllByRole('button', { name: 'Remove Glow' })[0]!);

  await remove();
  expect(field('Prompt')).toHaveValue('a fox, glow style');
  await remove();

  expect(field('Prompt')).toHaveValue('a fox');
});

/** The server's engine has these limits. */
const limitedTo = (limits: Readonly<Record<string, unknown>>) => (server: Network) => {
  server.refuse(readCapabilities, { status: 200, body: { capabilities: [imageAbilities] } });
  server.refuse(readImageAbilities, { status: 200, body: { providers: { pixai: limits } } });
};

test('have no more weight than the engine takes, also when they had more before', async () => {
  const heavy = { id: '2001', percentage: 150, unit: 'percent' };
  localStorage.setItem('nori_form_state', JSON.stringify({ loras: [heavy] }));
  const app = await openGenerator({ onConnect: limitedTo({ lora_weight: { min: 0, max: 1 } }) });
  await waitFor(() => expect(weight('2001')).toHaveValue('100'));

  await weigh(app, '2001', '120');
  expect(weight('2001')).toHaveValue('100');
  expect(weight('2001')).toHaveAttribute('title', '0 to 100');
  await fillIn(app);
  await app.user.click(screen.getByRole('button', { name: 'Generate' }));

  await waitFor(() => expect(sentRequests(app)).toMatchObject([{ loras: { 2001: 1 } }]));
});

test('are as many as the engine takes, and the prompt as long', async () => {
  const app = await openGenerator({
    onConnect: limitedTo({ max_loras: 1, max_prompt_length: 10 }),
  });
  await addLora(app, '2001');

  expect(await loras().findByText('1/1')).toBeVisible();
  expect(loras().getByText('A picture can have at most 1 LoRAs.')).toBeVisible();
  await fillIn(app, 'a red fox at dawn');
  expect(field('Prompt')).toHaveAccessibleDescription(/^At most 10 characters: 17 \/ 10/);
  expect(screen.getByRole('button', { name: 'Generate' })).toBeDisabled();
});

describe('steps and sampler', () => {
  const steps = { min: 10, max: 30, default: 25 };
  const samplers = ['Euler a', 'DDIM'];
  const slider = () => screen.getByRole('slider', { name: 'Steps' });
  const menu = () => screen.getByRole('combobox', { name: 'Sampler' });

  test('are there only where the engine has them', async () => {
    await openGenerator();

    expect(screen.queryByRole('slider', { name: 'Steps' })).toBeNull();
    expect(screen.queryByRole('combobox', { name: 'Sampler' })).toBeNull();
  });

  test('are left to the engine until they are chosen, and then sent and shown', async () => {
    const app = await openGenerator({ onConnect: limitedTo({ steps, samplers }) });
    await waitFor(() => expect(slider()).toHaveValue('25'));
    expect(menu()).toHaveValue('');
    await fillIn(app);
    await app.user.click(screen.getByRole('button', { name: 'Generate' }));
    await waitFor(() => expect(sentRequests(app)).toHaveLength(1));

    fireEvent.change(slider(), { target: { value: '12' } });
    await app.user.selectOptions(menu(), 'DDIM');
    expect(screen.getByText(/steps 12 · DDIM/)).toBeVisible();
    await fillIn(app, 'a second fox');
    await app.user.click(await screen.findByRole('button', { name: 'Generate' }));

    await waitFor(() => expect(sentRequests(app)).toHaveLength(2));
    const [first, second] = sentRequests(app);
    expect(first).not.toHaveProperty('steps');
    expect(first).not.toHaveProperty('sampler');
    expect(second).toMatchObject({ steps: 12, sampler: 'DDIM' });
  });

  test('that the engine does not take are brought into its range, and the draft keeps its own', async () => {
    const kept = { steps: 80, sampler: 'Heun' };
    localStorage.setItem('nori_form_state', JSON.stringify(kept));
    const app = await openGenerator({ onConnect: limitedTo({ steps, samplers }) });
    await waitFor(() => expect(slider()).toHaveValue('30'));
    expect(menu()).toHaveValue('');

    await fillIn(app);
    await app.user.click(screen.getByRole('button', { name: 'Generate' }));

    await waitFor(() => expect(sentRequests(app)).toMatchObject([{ steps: 30 }]));
    expect(sentRequests(app)[0]).not.toHaveProperty('sampler');
    expect(keptForm()).toMatchObject(kept);
  });
});
