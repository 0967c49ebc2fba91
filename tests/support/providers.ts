/** Imagine Art, MidJourney and Kusa as a person finds and uses them. */
import { screen, within } from '@testing-library/react';
import * as v from 'valibot';
import { vi } from 'vitest';

import { endpoint } from '#contract/endpoints/endpoint';

import { type Network } from './app-server.ts';
import { type remembered } from './remembered.ts';
import { renderApp } from './render-app.ts';

type Provider = 'imagine-art' | 'midjourney' | 'kusa';
type OpenOptions = NonNullable<Parameters<typeof renderApp>[1]> & {
  /** What the device remembers of earlier visits. */
  readonly rows?: readonly ReturnType<typeof remembered>[];
  /** May make the server fail before it is asked for anything. */
  readonly prepare?: (server: Network) => void;
};

export type ProviderApp = Awaited<ReturnType<typeof openProvider>>;

export const person = 4242;
export const inTelegram = { launch: { telegramId: person } } as const;
const getAddress = (provider: Provider) => `/models?provider=${provider}`;

/** Where a stand-in answer says that its pictures are. */
export const pictureUrl = (id: string) => `/backend/media/made/${id}`;

const pictures = endpoint({
  method: 'GET',
  path: '/media/made/:id',
  input: v.looseObject({}),
  output: v.unknown(),
});

/** The server has those pictures. */
export function servePictures(server: Network): void {
  server.refuse(pictures, {
    status: 200,
    body: 'the bytes of a picture',
    headers: { 'Content-Type': 'image/png' },
  });
}

/** Opens a provider's tab, and waits until its own part is there. */
export async function openProvider(
  provider: Provider,
  { rows, prepare, ...options }: OpenOptions = {},
) {
  if (rows) {
    localStorage.setItem('nori_generation_history', JSON.stringify(rows));
  }
  const app = await renderApp(prepare ? '/credits' : getAddress(provider), options);
  if (prepare) {
    prepare(app.server);
    app.goTo(getAddress(provider));
  }
  await screen.findByRole('tabpanel');
  if (provider !== 'kusa') {
    await screen.findByRole('textbox', { name: 'Prompt' });
  }
  return app;
}

export const prompt = () => screen.getByRole('textbox', { name: 'Prompt' });
export const button = (name: string | RegExp) => screen.getByRole('button', { name });
export const region = (name: string) => within(screen.getByRole('region', { name }));
export const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }));

/** The cards of the history, as a screen reader names them. */
export const cardNames = () =>
  within(screen.getByRole('region', { name: /History$/ }))
    .queryAllByRole('listitem')
    .map((card) => card.getAttribute('aria-label'));

/** The card of a picture, found by its prompt. */
export const card = async (words: string) =>
  within(
    await within(screen.getByRole('region', { name: /History$/ })).findByRole('listitem', {
      name: new RegExp(`: ${words}$`),
    }),
  );

/** What the device keeps under a key; undefined when there is nothing. */
export const kept = (key: string): unknown => {
  const text = localStorage.getItem(key);
  return text === null ? undefined : JSON.parse(text);
};

/** Calls whose address has this in it get no answer until the returned function is called. */
export function holdBack(part: string): () => void {
  const pass = globalThis.fetch;
  const { promise, resolve } = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.includes(part)) {
      await promise;
    }
    return pass(input, init);
  });
  return resolve;
}

type Bridged = Pick<ProviderApp, 'bridge'>;

/** What Telegram was told by one method, in order. */
export const told = ({ bridge }: Bridged, name: string): unknown[] =>
  (bridge?.sent ?? []).filter((event) => event.name === name).map(({ data }) => data);

export const mainButton = (app: Bridged) => told(app, 'web_app_setup_main_button').at(-1);
export const closing = (app: Bridged) => told(app, 'web_app_setup_closing_behavior').at(-1);
export const haptics = (app: Bridged) => told(app, 'web_app_trigger_haptic_feedback');
