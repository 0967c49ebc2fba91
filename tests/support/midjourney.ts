/** MidJourney: what its server answers, and how a person asks it for pictures. */
import { type within } from '@testing-library/react';

import { generateMidjourney } from '#contract/endpoints/midjourney';

import { type Network } from './app-server.ts';
import {
  button,
  openProvider,
  pictureUrl,
  prompt,
  type ProviderApp,
  region,
  servePictures,
} from './providers.ts';
import { remembered } from './remembered.ts';

export const keptPrompt = () => localStorage.getItem('nori_midjourney_prompt');

/** Opens MidJourney, on a server that makes pictures. */
export async function openMidjourney(options: Parameters<typeof openProvider>[1] = {}) {
  const app = await openProvider('midjourney', options);
  answerWith(app.server);
  return app;
}

const makeUrls = (id: string, count = 4) =>
  Array.from({ length: count }, (_url, index) => pictureUrl(`${id}-${index}`));

/** The server makes these pictures from every prompt. */
export function answerWith(server: Network, facts: Readonly<Record<string, unknown>> = {}): void {
  servePictures(server);
  server.refuse(generateMidjourney, {
    status: 200,
    body: { id: 'mj-1', s3_urls: makeUrls('mj-1'), engine: 'sketch', ...facts },
  });
}

export const generateButton = () => button(/^(?:Generate|Generating\.\.\.)$/);
export const result = () => region('Generated Images');
export const history = () => region('History');

/** The pictures of the result, as buttons that enlarge them. */
export const made = () => result().queryAllByRole('button', { name: /^Enlarge: / });

/** Writes a prompt and asks for its pictures. */
export async function generatePictures(app: ProviderApp, words = 'a paper crane'): Promise<void> {
  await app.user.clear(prompt());
  await app.user.type(prompt(), words);
  await app.user.click(generateButton());
}

/** What was asked of the server, in order. */
export const sentRequests = ({ server }: ProviderApp) =>
  server.requestsTo(generateMidjourney).map(({ body }) => body);

/** Pictures by MidJourney that the device remembers. */
export const rememberedGrid = (number: number, change: Readonly<Record<string, unknown>> = {}) => {
  const urls = Array.from({ length: 4 }, () => '/icon-512.png');
  return remembered(number, {
    provider: 'midjourney',
    modelId: '',
    modelName: '',
    imageUrls: urls,
    tags: ['midjourney'],
    ...change,
  });
};

/** The dialog's pictures. */
export const getImages = (dialog: ReturnType<typeof within>) =>
  dialog.getAllByRole('button', { name: /^Enlarge: Image \d$/ });
