/** A model's card: turning it, copying its ID, using it, ticking it, and covers for adults. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { queryModels } from '#contract/endpoints/models';
import {
  address,
  answerWith,
  card,
  inTelegram,
  keptForm,
  openModels,
  seeTabs,
  tab,
} from '#tests/hub';

const cover = (name: string) => [
  { variant: 'PUBLIC', url: `/covers/${name}-public.webp` },
  { variant: 'THUMBNAIL', url: `/covers/${name}-thumbnail.webp` },
];

const models = [
  {
    id: '11',
    title: 'Snow Fox',
    type: 'SDXL_MODEL',
    likedCount: 1234,
    refCount: 5,
    media: { urls: cover('fox'), width: 100, height: 100 },
    latestAvailableVersion: { id: '9001' },
  },
  {
    id: '12',
    title: 'Ember Ink',
    type: 'SDXL_LORA',
    media: { urls: cover('ink'), width: 100, height: 100 },
    latestAvailableVersion: { id: '9002', extra: { triggerWords: 'ember, ink wash' } },
  },
  { id: '13', title: 'Reed', type: 'Lora', latestAvailableVersion: { id: '9003' } },
  {
    id: '14',
    title: '',
    type: 'SDXL_MODEL',
    isNsfw: true,
    media: { urls: cover('adult') },
    latestAvailableVersion: { id: '9004' },
  },
];

type Options = Omit<NonNullable<Parameters<typeof openModels>[1]>, 'prepare'>;

async function openCards(options: Options = {}) {
  const app = await openModels('', {
    ...options,
    prepare: (server) => server.refuse(queryModels, answerWith(models)),
  });
  await screen.findByRole('listitem', { name: /Snow Fox/ });
  return app;
}

const fox = () => card('Snow Fox, sdxl_model');
const ink = () => card('Ember Ink, sdxl_lora');
const picture = (name: string) => document.querySelector(`img[src*="${name}"]`);
const bar = () => screen.queryByRole('region', { name: 'Selected LoRAs' });

test('a card is turned and turned back by its button, by a click on its picture and by Enter', async () => {
  const { user } = await openCards();
  const shown = await fox();

  await user.click(shown.getByRole('button', { name: 'Details of Snow Fox' }));
  expect(shown.getByText(/1,234 likes · 5 uses/)).toBeVisible();
  await user.click(shown.getByRole('button', { name: 'Picture of Snow Fox' }));
  expect(shown.queryByText(/likes/)).toBeNull();

  await user.click(picture('fox') ?? document.body);
  expect(shown.getByText(/1,234 likes/)).toBeVisible();
  await user.click(shown.getByText(/1,234 likes/));
  expect(shown.queryByText(/likes/)).toBeNull();

  screen.getByRole('listitem', { name: /Snow Fox/ }).focus();
  await user.keyboard('{Enter}');
  expect(shown.getByText(/1,234 likes/)).toBeVisible();
});

test('the back has the trigger words, and copies the ID: "Copied!" for two seconds', async () => {
  const { user } = await openCards();
  const shown = await ink();
  await user.click(shown.getByRole('button', { name: 'Details of Ember Ink' }));
  expect(shown.getByText('ember, ink wash')).toBeVisible();

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  try {
    await user.click(shown.getByRole('button', { name: 'Copy model ID 9002' }));
    expect(await shown.findAllByText('Copied!')).toHaveLength(2);
    expect(await navigator.clipboard.readText()).toBe('9002');
    // Far from the end, as the clock goes on by itself, too.
    await vi.advanceTimersByTimeAsync(1000);
    expect(shown.queryByText('9002')).toBeNull();
    await vi.advanceTimersByTimeAsync(1100);
    expect(await shown.findAllByText('9002')).toHaveLength(1);
    expect(shown.queryByText('Copied!')).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});

test('an ID that could not be copied is not confirmed as copied', async () => {
  const { user } = await openCards();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
  const shown = await ink();
  await user.click(shown.getByRole('button', { name: 'Details of Ember Ink' }));

  await user.click(shown.getByRole('button', { name: 'Copy model ID 9002' }));

  expect(await shown.findAllByText('Could not copy')).toHaveLength(2);
  expect(shown.queryByText('Copied!')).toBeNull();
});

test('a cover whose thumbnail is broken is shown in full size', async () => {
  await openCards();
  expect(picture('fox')).toHaveAttribute('src', '/covers/fox-thumbnail.webp');

  fireEvent.error(picture('fox') ?? document.body);

  await waitFor(() => expect(picture('fox')).toHaveAttribute('src', '/covers/fox-public.webp'));
  expect((await fox()).queryByText('Failed to load image')).toBeNull();
});

/** Neither the thumbnail nor the full picture can be loaded. */
async function loseCover(name: string): Promise<void> {
  fireEvent.error(picture(name) ?? document.body);
  await waitFor(() => expect(picture(name)).toHaveAttribute('src', `/covers/${name}-public.webp`));
  fireEvent.error(picture(name) ?? document.body);
}

test('a missing cover is reported with the model’s name', async () => {
  await openCards();
  await loseCover('fox');
  const broken = await fox();
  expect(await broken.findByText('Failed to load image')).toBeVisible();
  expect(broken.getByText('Snow Fox')).toBeVisible();

  const never = await card('Reed, lora');
  expect(never.getByText('Failed to load image')).toBeVisible();

  await loseCover('adult');
  const nameless = await card('Unknown Model, sdxl_model');
  expect(await nameless.findByText('Failed to load image')).toBeVisible();
  expect(nameless.getByText('Unknown Model')).toBeVisible();
});

test('covers for adults are hidden until the age is confirmed, and again on the next visit', async () => {
  const { user, goTo } = await openCards();
  const hidden = () => screen.queryByRole('button', { name: 'Show pictures for adults' });

  await user.click(hidden() ?? document.body);
  const dialog = await screen.findByRole('dialog', { name: 'Age Confirmation' });
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(hidden()).toBeVisible();

  await user.click(hidden() ?? document.body);
  await user.click(
    within(await screen.findByRole('dialog', { name: 'Age Confirmation' })).getByRole('button', {
      name: 'I am 18+',
    }),
  );
  await waitFor(() => expect(hidden()).toBeNull());
  expect(screen.queryByRole('dialog')).toBeNull();

  // Switching tabs is the same visit; leaving the hub ends it.
  await user.click(tab('Generator'));
  await screen.findByRole('form', { name: 'Generator' });
  await user.click(tab('Models'));
  await card('Unknown Model, sdxl_model');
  expect(hidden()).toBeNull();

  goTo('/credits');
  await screen.findByRole('heading', { level: 1, name: 'Models' });
  goTo('/models?provider=pixai&view=models');
  await card('Unknown Model, sdxl_model');
  expect(hidden()).toBeVisible();
});

test('using a model chooses it, and opens the generator with the focus at its beginning', async () => {
  const { user } = await openCards();

  await user.click((await fox()).getByRole('button', { name: 'Use model Snow Fox' }));

  const chosen = within(await screen.findByRole('group', { name: 'Model' }));
  expect(chosen.getByText('Snow Fox')).toBeVisible();
  expect(chosen.getByText('sdxl_model')).toBeVisible();
  await seeTabs('Pix-AI', 'Generator');
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus());
  expect(JSON.parse(localStorage.getItem('nori_selected_model') ?? '')).toEqual({
    modelId: '9001',
    modelName: 'Snow Fox',
  });

  window.history.back();
  expect(await card('Snow Fox, sdxl_model')).toBeTruthy();
  expect(address()).toBe('/models?provider=pixai&view=models');
});

test('using a LoRA adds it to the form with 70 percent, and browsing goes on', async () => {
  const { user } = await openCards();

  await user.click((await ink()).getByRole('button', { name: 'Use model Ember Ink' }));

  expect(await screen.findByText('Ember Ink is in your generator now.')).toBeVisible();
  expect(keptForm()).toMatchObject({ loras: [{ id: '9002', percentage: 70 }] });
  await seeTabs('Pix-AI', 'Models');

  await user.click(screen.getByRole('button', { name: 'Open it' }));
  await user.click(await screen.findByRole('button', { name: 'Options' }));
  const loras = within(screen.getByRole('region', { name: 'LoRAs' }));
  expect(loras.getByLabelText('Weight of Ember Ink, in percent')).toHaveDisplayValue('70');
});

test('a sixteenth LoRA is not added', async () => {
  const loras = Array.from({ length: 15 }, (_lora, index) => ({
    id: `full-${index}`,
    percentage: 70,
    unit: 'percent',
  }));
  localStorage.setItem('nori_form_state', JSON.stringify({ loras }));
  const { user } = await openCards();

  await user.click((await ink()).getByRole('button', { name: 'Use model Ember Ink' }));

  expect(await screen.findByText('A picture can have at most 15 LoRAs.')).toBeVisible();
  expect(keptForm()).toMatchObject({ loras });
});

test('only LoRAs can be ticked; a bar counts them, and clears them', async () => {
  const { user } = await openCards();
  expect(screen.getAllByRole('checkbox').map((box) => box.getAttribute('aria-label'))).toEqual([
    'Select Ember Ink',
    'Select Reed',
  ]);
  expect(bar()).toBeNull();

  await user.click(screen.getByRole('checkbox', { name: 'Select Ember Ink' }));
  expect(bar()).toHaveTextContent('1 LoRA(s) selected');
  await user.click(screen.getByRole('checkbox', { name: 'Select Reed' }));
  expect(bar()).toHaveTextContent('2 LoRA(s) selected');
  await user.click(screen.getByRole('checkbox', { name: 'Select Reed' }));
  expect(bar()).toHaveTextContent('1 LoRA(s) selected');

  await user.click(screen.getByRole('button', { name: 'Clear Selection' }));
  expect(bar()).toBeNull();
  expect(screen.getByRole('main')).toHaveFocus();
  expect(screen.getByRole('checkbox', { name: 'Select Ember Ink' })).not.toBeChecked();
});

test('two ticked LoRAs are in the generator with 70 percent each, and no longer ticked', async () => {
  const { user } = await openCards();
  await user.click(screen.getByRole('checkbox', { name: 'Select Ember Ink' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select Reed' }));

  await user.click(screen.getByRole('button', { name: 'Generate with Selected LoRAs' }));

  await user.click(await screen.findByRole('button', { name: 'Options' }));
  const loras = within(screen.getByRole('region', { name: 'LoRAs' }));
  expect(loras.getByLabelText('Weight of Ember Ink, in percent')).toHaveDisplayValue('70');
  expect(loras.getByLabelText('Weight of Reed, in percent')).toHaveDisplayValue('70');
  expect(keptForm()).toMatchObject({
    loras: [
      { id: '9002', percentage: 70 },
      { id: '9003', percentage: 70 },
    ],
  });
  expect(bar()).toBeNull();
});

test('in Telegram ticking, copying and using give haptic feedback', async () => {
  const { user, bridge } = await openCards(inTelegram);
  const felt = () =>
    bridge?.sent.findLast(({ name }) => name === 'web_app_trigger_haptic_feedback')?.data;

  await user.click(screen.getByRole('checkbox', { name: 'Select Reed' }));
  expect(felt()).toEqual({ type: 'impact', impact_style: 'light' });
  await user.click((await ink()).getByRole('button', { name: 'Details of Ember Ink' }));
  await user.click((await ink()).getByRole('button', { name: 'Copy model ID 9002' }));
  await waitFor(() =>
    expect(felt()).toEqual({ type: 'notification', notification_type: 'success' }),
  );
  await user.click((await ink()).getByRole('button', { name: 'Use model Ember Ink' }));
  expect(felt()).toEqual({ type: 'impact', impact_style: 'light' });
});
