/** The image hub: its tabs, and the tab that it remembers. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { listKusaStyles } from '#contract/endpoints/kusa';
import { address, inTelegram, openHub, seeTabs, tab } from '#tests/hub';

const noStyles = { status: 200, body: { styles: { styles: [] } } };

const provider = () => localStorage.getItem('selectedProvider');

test('has its heading, and opens with Pix-AI’s generator', async () => {
  await openHub();

  expect(screen.getByRole('heading', { level: 1, name: 'AI Models' })).toBeVisible();
  expect(screen.getByText('Browse and generate AI images with models')).toBeVisible();
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Pix-AI',
    'Kusa',
    'Imagine Art',
    'MidJourney',
    'Generator',
    'Models',
  ]);
  await seeTabs('Pix-AI', 'Generator');
  expect(await screen.findByRole('form', { name: 'Generator' })).toBeVisible();
});

test.each([
  ['Kusa', 'kusa'],
  ['Imagine Art', 'imagine-art'],
  ['MidJourney', 'midjourney'],
])('%s is remembered on the device, and open on the next visit', async (name, id) => {
  const { user, goTo, server } = await openHub();
  server.refuse(listKusaStyles, noStyles);

  await user.click(tab(name));

  await seeTabs(name);
  expect(address()).toBe(`/models?provider=${id}`);
  await waitFor(() => expect(provider()).toBe(id));
  goTo('/credits');
  await screen.findByRole('heading', { level: 1, name: 'Models' });
  goTo('/models');
  await seeTabs(name);

  await user.click(tab('Pix-AI'));
  await seeTabs('Pix-AI', 'Generator');
  await waitFor(() => expect(provider()).toBe('pixai'));
});

test('the providers are a menu, too, for narrow screens', async () => {
  const { user, server } = await openHub();
  server.refuse(listKusaStyles, noStyles);
  const menu = screen.getByRole('combobox', { name: 'Image providers' });
  expect(
    within(menu)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['Pix-AI', 'Kusa', 'Imagine Art', 'MidJourney']);
  expect(menu).toHaveDisplayValue('Pix-AI');

  await user.selectOptions(menu, 'Kusa');

  await seeTabs('Kusa');
  expect(address()).toBe('/models?provider=kusa');
  expect(menu).toHaveDisplayValue('Kusa');
});

test.each(['dall-e', 'KUSA', '"kusa"', '', '{}'])(
  'an unknown remembered provider (%j) is replaced by Pix-AI',
  async (kept) => {
    localStorage.setItem('selectedProvider', kept);

    await openHub();

    await seeTabs('Pix-AI', 'Generator');
    expect(await screen.findByRole('form', { name: 'Generator' })).toBeVisible();
  },
);

test('the address decides the tab, not the device; an unknown provider is Pix-AI', async () => {
  localStorage.setItem('selectedProvider', 'kusa');
  const { goTo } = await openHub('?provider=midjourney');
  await seeTabs('MidJourney');

  goTo('/models?provider=pixai&view=models');
  await seeTabs('Pix-AI', 'Models');

  goTo('/models?provider=pixai&view=elsewhere');
  await seeTabs('Pix-AI', 'Generator');
  expect(await screen.findByRole('form', { name: 'Generator' })).toBeVisible();
});

test('the tab survives a reload, and Back returns to the view before', async () => {
  const { user, reload } = await openHub();

  await user.click(tab('Models'));
  await seeTabs('Pix-AI', 'Models');
  expect(address()).toBe('/models?provider=pixai&view=models');
  await reload();
  await seeTabs('Pix-AI', 'Models');

  window.history.back();
  await seeTabs('Pix-AI', 'Generator');
});

test('a view that is opened again has its search and its order', async () => {
  const { user } = await openHub('?provider=pixai&view=models&q=ember&sort=newest');
  expect(await screen.findByRole('searchbox')).toHaveValue('ember');

  await user.click(tab('Generator'));
  expect(await screen.findByRole('form', { name: 'Generator' })).toBeVisible();
  await user.click(tab('Models'));

  expect(await screen.findByRole('searchbox')).toHaveValue('ember');
  expect(address()).toBe('/models?provider=pixai&view=models&q=ember&sort=newest');
});

test('pressing the open tab changes nothing', async () => {
  const { user } = await openHub('?provider=pixai&view=models&sort=most-used');

  await user.click(tab('Pix-AI'));
  await user.click(tab('Models'));

  expect(address()).toBe('/models?provider=pixai&view=models&sort=most-used');
});

test('arrow keys move from provider to provider in a circle', async () => {
  const { user, server } = await openHub();
  server.refuse(listKusaStyles, noStyles);

  tab('Pix-AI').focus();
  await user.keyboard('{ArrowRight}');
  expect(tab('Kusa')).toHaveFocus();
  await seeTabs('Kusa');
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(tab('MidJourney')).toHaveFocus();
  expect(await screen.findByRole('tabpanel', { name: 'MidJourney' })).toBeVisible();
});

test('in Telegram a change of tab gives haptic feedback, a press on the open one does not', async () => {
  const { user, bridge, server } = await openHub('', inTelegram);
  server.refuse(listKusaStyles, noStyles);
  const felt = () =>
    bridge?.sent.filter(
      ({ name, data }) =>
        name === 'web_app_trigger_haptic_feedback' &&
        JSON.stringify(data).includes('selection_change'),
    ).length;

  await user.click(tab('Pix-AI'));
  expect(felt()).toBe(0);
  await user.click(tab('Models'));
  await seeTabs('Pix-AI', 'Models');
  expect(felt()).toBe(1);
  await user.click(tab('Kusa'));
  expect(felt()).toBe(2);
});

test('inside Telegram the models have a back button, and the providers have none', async () => {
  const { bridge, user, goTo } = await openHub('', inTelegram);
  const back = () =>
    bridge?.sent.findLast(({ name }) => name === 'web_app_setup_back_button')?.data ?? 'never';

  await user.click(tab('Kusa'));
  await seeTabs('Kusa');
  await user.click(tab('Pix-AI'));
  await seeTabs('Pix-AI', 'Generator');
  expect(back()).toBe('never');

  await user.click(tab('Models'));
  await seeTabs('Pix-AI', 'Models');
  await waitFor(() => expect(back()).toEqual({ is_visible: true }));

  goTo('/models?provider=kusa');
  await seeTabs('Kusa');
  await waitFor(() => expect(back()).toEqual({ is_visible: false }));
});
