/** Imagine Art: what its server answers, and how a person asks it for pictures. */
import { screen, within } from '@testing-library/react';

import { saveImagine } from '#contract/endpoints/imagine';

import { type Network } from './app-server.ts';
import {
  button,
  openProvider,
  pictureUrl,
  prompt,
  type ProviderApp,
  servePictures,
} from './providers.ts';
import { remembered } from './remembered.ts';

export const keptForm = 'nori_imagine_form_state';
export const historyHeading = 'Imagine Art History';

/** Opens Imagine Art, on a server that makes pictures. */
export async function openImagine(options: Parameters<typeof openProvider>[1] = {}) {
  const app = await openProvider('imagine-art', options);
  answerWith(app.server);
  return app;
}

/** The server makes this picture for every request. */
export function answerWith(server: Network, facts: Readonly<Record<string, unknown>> = {}): void {
  servePictures(server);
  server.refuse(saveImagine, {
    status: 200,
    body: { id: 'art-1', image_url: pictureUrl('art-1'), seed: 77, engine: 'sketch', ...facts },
  });
}

export const generateButton = () => button(/^(?:Generate Imagine Art|Generating\.\.\.)$/);
export const styleMenu = () => screen.getByRole('combobox', { name: 'Style' });
export const seed = () => screen.getByRole('textbox', { name: 'Seed (optional)' });
export const ratio = (name: string) => screen.getByRole('radio', { name });
export const result = () => within(screen.getByRole('region', { name: 'Result' }));

/** Writes a prompt and asks for its picture. */
export async function generatePictures(app: ProviderApp, words = 'a paper crane'): Promise<void> {
  await app.user.clear(prompt());
  await app.user.type(prompt(), words);
  await app.user.click(generateButton());
}

/** What was asked of the server, in order. */
export const sentRequests = ({ server }: ProviderApp) =>
  server.requestsTo(saveImagine).map(({ body }) => body);

/** A picture by Imagine Art that the device remembers. */
export const rememberedArt = (number: number, change: Readonly<Record<string, unknown>> = {}) =>
  remembered(number, {
    provider: 'imagine-art',
    modelId: 'anime',
    modelName: '',
    style: 'anime',
    seed: '77',
    tags: ['imagine'],
    ...change,
  });

/** An item of the account's list. */
export const accountItem = (number: number) => ({
  _id: `art-${number}`,
  prompt: `Of the account, number ${number}`,
  style: 'realistic',
  s3_url: '/icon-512.png',
  created_at: new Date(Date.now() - number * 60_000).toISOString(),
  aspect_ratio: '3:4',
  seed: 7,
});

/** An account with these. */
export const listAnswer = (...items: readonly unknown[]) => ({
  status: 200,
  body: { history: items },
});
