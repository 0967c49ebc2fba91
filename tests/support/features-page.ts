/** The features page as a person finds their way on it. */
import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';

import { botCommands } from '#contract/endpoints/bot-commands';
import { readCapabilities } from '#contract/endpoints/site';

import { renderApp } from './render-app.ts';

type Options = Parameters<typeof renderApp>[1] & {
  /** The @name of the bot that the server runs, without the @; without one it runs none. */
  readonly bot?: string;
  /** A backend that has the calls of the specification alone. */
  readonly isForeign?: boolean;
};

export async function openFeatures(
  query = '',
  { bot, isForeign = false, ...options }: Options = {},
) {
  const app = await renderApp('/privacy-policy', options);
  const named = bot === undefined ? {} : { bot_username: bot };
  app.server.refuse(
    readCapabilities,
    isForeign ? { status: 404 } : { status: 200, body: { capabilities: [botCommands], ...named } },
  );
  app.goTo(`/features${query}`);
  await screen.findByRole('heading', { level: 1, name: 'Nori Features' });
  return app;
}

export const tab = (name: string) => screen.getByRole('tab', { name });
export const selectedTab = () => screen.getByRole('tab', { selected: true }).textContent;
/** The titles that are listed, in order. */
export const listed = () =>
  within(screen.getByRole('tabpanel'))
    .queryAllByRole('heading', { level: 3 })
    .map((heading) => heading.querySelector('button > span')?.textContent);
export const item = (name: string) => screen.findByRole('button', { name });
export const searchBox = () => screen.getByRole('searchbox', { name: 'Search features...' });
/** What an opened feature shows. */
export const body = async (name: string) => {
  const button = await item(name);
  const content = document.getElementById(button.getAttribute('aria-controls') ?? '');
  expect(content).toBeVisible();
  return within(content ?? document.body);
};
export const ageQuestion = () => screen.findByRole('dialog', { name: 'Age Confirmation' });
export const query = () => window.location.search;
