/** Pictures that a device remembers from earlier visits, for tests that begin with a history. */
import { screen, within } from '@testing-library/react';

import { type Network } from './app-server.ts';
import { type remembered } from './remembered.ts';
import { renderApp } from './render-app.ts';

type Rows = readonly ReturnType<typeof remembered>[];

export const historyAddress = '/models?provider=pixai&view=generator';

/**
 * The generator with its history, on a device that remembers these pictures. `prepare` may make the
 * server fail before it is asked for anything.
 */
export async function openHistory(
  rows: Rows = [],
  {
    prepare,
    ...options
  }: Parameters<typeof renderApp>[1] & { readonly prepare?: (server: Network) => void } = {},
) {
  localStorage.setItem('nori_generation_history', JSON.stringify(rows));
  const app = await renderApp(prepare ? '/credits' : historyAddress, options);
  if (prepare) {
    prepare(app.server);
    app.goTo(historyAddress);
  }
  await screen.findByRole('heading', { name: 'History' });
  return app;
}

export const history = () => within(screen.getByRole('region', { name: 'History' }));

/** The cards, as a screen reader names them. */
export const cardNames = () =>
  history()
    .queryAllByRole('listitem')
    .map((card) => card.getAttribute('aria-label'));

/** The card of a picture, found by its prompt. */
export const card = async (prompt: string) =>
  within(await history().findByRole('listitem', { name: new RegExp(`: ${prompt}$`) }));

export const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));
