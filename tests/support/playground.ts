/** The playground as a person finds their way on it. */
import { screen, waitFor } from '@testing-library/react';
import { type UserEvent } from '@testing-library/user-event';
import { expect } from 'vitest';

import { type Endpoint, endpoint, noAnswer, noInput } from '#contract/endpoints/endpoint';
import { publicEndpoints } from '#contract/playground/endpoints';

import { type Network } from './app-server.ts';
import { renderApp } from './render-app.ts';

/** What the lists of the speech forms answer, where a test does not say. */
const lists = {
  'tts-categories': { categories: [] },
  'tts-characters': { characters: [] },
  'others-tts-categories': { categories: ['Others'] },
  'others-tts-characters': { characters: [] },
} as const;

type Options = Parameters<typeof renderApp>[1] & {
  /** Endpoint → what it answers, or that it is refused. */
  readonly answers?: Readonly<Partial<Record<keyof typeof lists, unknown>>>;
};

export async function openPlayground(query = '', { answers, ...options }: Options = {}) {
  const opening = renderApp(`/api${query}`, options);
  const app = await opening;
  for (const [id, body] of Object.entries({ ...lists, ...answers })) {
    app.server.refuse(findWire(id), body === 'refused' ? { status: 500 } : { status: 200, body });
  }
  await screen.findByRole('heading', { level: 1, name: 'API Playground' });
  await waitFor(() => expect(screen.getByRole('searchbox')).toBeVisible());
  return app;
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only interfaces can be merged.
  interface Window {
    /** The window of the tests can be told where it is. */
    readonly happyDOM?: { readonly setURL: (url: string) => void };
  }
}

/** Where the site of the test is from now on. */
export const stayAt = (address: string) => window.happyDOM?.setURL(`${address}/`);

/** The endpoints as the network knows them: each is one, so that a fault takes the place of another. */
const wires = new Map<string, Endpoint>(
  publicEndpoints.map(({ id, method, path }) => [
    id,
    endpoint({ base: 'public', method, path, input: noInput, output: noAnswer }),
  ]),
);

export function findWire(id: string) {
  const found = wires.get(id);
  if (!found) {
    throw new Error(`The table has no ${id}`);
  }
  return found;
}

export const field = (name: string) => screen.getByRole('textbox', { name });

/** Everything under a heading that opens. */
export const entry = (name: string) => screen.getByRole('region', { name: new RegExp(`^${name}`) });

export const run = (user: UserEvent) =>
  user.click(screen.getByRole('button', { name: 'Execute Request' }));

/** Where an endpoint was called, in order. */
export const sentUrls = (server: Network, id: string) =>
  server.requestsTo(findWire(id)).map(({ url }) => url.pathname + url.search);
