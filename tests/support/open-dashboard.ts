/** The dashboard of a person who manages the given chats. */
import { screen } from '@testing-library/react';

import { giveChats } from './chats.ts';
import { renderApp, startServer } from './render-app.ts';

export const person = 123456789;
export const cats = -1001234567890;
export const dogs = -1009876543210;

export type Chats = Parameters<typeof giveChats>[2];
export type Options = {
  readonly chats?: Chats;
  readonly launch?: boolean;
  /** Telegram's version, when opened there. */
  readonly version?: string;
};

/** The dashboard of a person who manages the given chats. */
export async function openDashboard(
  address: string,
  { chats = [], launch = false, version }: Options = {},
) {
  const testServer = await startServer();
  const token = await testServer.signUp(person);
  await giveChats(testServer, person, chats);
  testServer.wait(61_000);
  return renderApp(address, {
    server: testServer,
    as: { telegramId: person, token },
    ...(launch
      ? { launch: { telegramId: person, ...(version === undefined ? {} : { version }) } }
      : {}),
  });
}

export const button = (name: string) => screen.findByRole('button', { name });
export const problem = () => screen.findByRole('alert');
