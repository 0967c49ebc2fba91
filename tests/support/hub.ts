/** The image hub as a person finds and uses it. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, vi } from 'vitest';

import { queryModels } from '#contract/endpoints/models';

import { type Network } from './app-server.ts';
import { renderApp } from './render-app.ts';

type Options = NonNullable<Parameters<typeof renderApp>[1]>;

const modelsPath = '/models?provider=pixai&view=models';
export const inTelegram = { launch: { telegramId: 4242 } } as const;

export const tab = (name: string) => screen.getByRole('tab', { name });

/** Waits until these tabs are open: that of the provider, and that of its view if it has views. */
export const seeTabs = (...names: readonly string[]) =>
  waitFor(() =>
    expect(
      screen.getAllByRole('tab', { selected: true }).map(({ textContent }) => textContent),
    ).toEqual(names),
  );
export const address = () => window.location.pathname + window.location.search;

/** Opens the hub, and waits until it can be used. */
export async function openHub(query = '', options: Options = {}) {
  const app = await renderApp(`/models${query}`, options);
  await screen.findByRole('tab', { name: 'Kusa' });
  return app;
}

/**
 * Opens the model browser. `prepare` may make the server fail before it is asked for anything;
 * without it, the first models are there.
 */
export async function openModels(
  query = '',
  { prepare, ...options }: Options & { readonly prepare?: (server: Network) => void } = {},
) {
  if (prepare === undefined) {
    const app = await renderApp(modelsPath + query, options);
    await screen.findByRole('list', { name: 'Models' });
    return app;
  }
  const app = await renderApp('/credits', options);
  prepare(app.server);
  app.goTo(modelsPath + query);
  await screen.findByRole('searchbox', { name: 'Search models...' });
  return app;
}

export const searchBox = () => screen.getByRole('searchbox', { name: 'Search models...' });
export const sortMenu = () => screen.getByRole('combobox', { name: 'Sort by' });

/** The models that are on the page, as a screen reader names them. */
export const cardNames = () => cards().map((card) => card.getAttribute('aria-label') ?? '');

export const cards = () => {
  const list = screen.queryByRole('list', { name: 'Models' });
  return list === null
    ? []
    : within(list)
        .queryAllByRole('listitem')
        .filter((card) => card.hasAttribute('aria-posinset'));
};

export const card = async (name: string | RegExp) =>
  within(await screen.findByRole('listitem', { name }));

/** What the server was asked for, in order: the operation and its variables. */
export const asked = (server: Network) =>
  server
    .requestsTo(queryModels)
    .map(({ url, body }) =>
      Object.assign({ operation: url.searchParams.get('operation') }, toVariables(body)),
    );

function toVariables(body: unknown): Readonly<Record<string, unknown>> {
  const variables: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'variables') : undefined;
  return typeof variables === 'object' && variables !== null ? { ...variables } : {};
}

/** An answer of the model service with these models. */
export const answerWith = (
  models: readonly Readonly<Record<string, unknown>>[],
  pageInfo: Readonly<Record<string, unknown>> = { hasNextPage: false },
) => ({
  status: 200,
  body: { data: { generationModels: { edges: models.map((node) => ({ node })), pageInfo } } },
});

/** Waits until these are all the models on the page. */
export const seeOnly = (names: readonly string[]) =>
  waitFor(() => expect(cardNames().map((name) => name.replace(/, .*/, ''))).toEqual(names));

/** What the device keeps of the generator's form. */
export const keptForm = (): unknown =>
  JSON.parse(localStorage.getItem('nori_form_state') ?? 'null');

/** Looks at the gallery on a screen so high that its end shows, too. */
export function seeTheEnd(): void {
  vi.stubGlobal('innerHeight', 100_000);
  window.dispatchEvent(new Event('resize'));
}
