/** The page of the account, opened by somebody who is logged in in several places. */
import { screen, within } from '@testing-library/react';
import * as v from 'valibot';

import { login, readMe } from '#contract/endpoints/session';

import { person } from './account.ts';
import { renderApp, startServer } from './render-app.ts';
import { goodPassword } from './test-server.ts';

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';

/** The page of a person who is also logged in elsewhere, as often as asked for. */
export async function openAccount({ others = 1, launch = false } = {}) {
  const testServer = await startServer();
  const token = await testServer.signUp(person);
  const elsewhere: string[] = [];
  for (let index = 0; index < others; index += 1) {
    const { body } = await testServer.call(
      login,
      { telegram_id: String(person), password: goodPassword },
      { headers: { 'User-Agent': iPhone } },
    );
    elsewhere.push(v.parse(login.output, body).access_token);
  }
  const app = await renderApp('/account', {
    server: testServer,
    as: { telegramId: person, token },
    ...(launch ? { launch: { telegramId: person } } : {}),
  });
  await screen.findByRole('heading', { name: 'Your account' });
  return { ...app, token, elsewhere };
}

export type Opened = Awaited<ReturnType<typeof openAccount>>;

const sessions = () => screen.findByRole('list', { name: 'Your sessions' });
export const rows = async () => within(await sessions()).getAllByRole('listitem');
export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
export const question = (name: string) => screen.findByRole('dialog', { name });

/** Whether the server still knows a session. */
export async function isAlive({ testServer }: Opened, token: string): Promise<boolean> {
  return (await testServer.call(readMe, {}, { token })).status === 200;
}

export async function canLogIn({ testServer }: Opened, password: string): Promise<boolean> {
  return (await testServer.call(login, { telegram_id: String(person), password })).status === 200;
}
