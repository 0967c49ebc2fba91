/** Exporting one's data on the page of the account. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { readExport, startExport } from '#contract/endpoints/exports';
import { readCapabilities } from '#contract/endpoints/site';
import { button, person } from '#tests/account';
import { startBotApi } from '#tests/bot-api-server';
import { renderApp, startServer } from '#tests/render-app';
import { createTestServer, type TestServer } from '#tests/test-server';

async function openAccount(server: TestServer, token: string, { launch = false } = {}) {
  const app = await renderApp('/account', {
    server,
    as: { telegramId: person, token },
    ...(launch ? { launch: { telegramId: person } } : {}),
  });
  await screen.findByRole('heading', { name: 'Your data' });
  return { ...app, make: () => server.services.exports.runDue() };
}

async function open() {
  const server = await startServer();
  return openAccount(server, await server.signUp(person));
}

/** Inside Telegram, on a server with a public address and a bot. */
async function openInTelegram() {
  const api = await startBotApi({ people: [{ id: person, first_name: 'Mila' }] });
  const server = await createTestServer({
    bot: { api },
    variables: { PUBLIC_URL: 'https://nori.example.org' },
  });
  onTestFinished(async () => {
    await server.close();
    await api.close();
  });
  await server.db
    .insertInto('people')
    .values({
      telegram_id: person,
      email: 'mila@example.org',
      password_hash: 'none',
      first_name: 'Mila',
      username: null,
      photo_url: null,
      created_at: server.now(),
    })
    .execute();
  const { token } = await server.services.sessions.start(person, {
    address: '',
    userAgent: undefined,
  });
  return { ...(await openAccount(server, token, { launch: true })), api };
}

describe('on the web', () => {
  test('the file is made in the background, and downloaded when it is ready', async () => {
    const { user, make } = await open();
    const clicked: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function note(
      this: HTMLAnchorElement,
    ) {
      clicked.push(this.href);
    });

    await user.click(await screen.findByRole('button', { name: 'Export my data' }));
    expect(await screen.findByText('Your data is being gathered...')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Export my data' })).toBeNull();
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Your data' })).toHaveFocus());
    await make();

    const download = await screen.findByRole('button', { name: /^Download/ });
    expect(download).toHaveTextContent(/1 MB, until .*2026/);
    await user.click(download);
    expect(clicked).toEqual([expect.stringMatching(/\/backend\/exports\/[^/]+\?expires=/)]);
    expect(button('Export my data again')).toBeVisible();
    // Nothing sends it to a chat where there is no Telegram around the page.
    expect(screen.queryByRole('button', { name: 'Send it to my chat with the bot' })).toBeNull();
  });

  test('an export that has failed can be begun again', async () => {
    const { user, make, testServer } = await open();
    await user.click(await screen.findByRole('button', { name: 'Export my data' }));
    await screen.findByText('Your data is being gathered...');
    await testServer.db.updateTable('exports').set({ state: 'failed' }).execute();

    expect(await screen.findByText('The export failed. Please try again later.')).toBeVisible();
    await user.click(button('Export my data again'));
    await screen.findByText('Your data is being gathered...');
    expect(screen.queryByText('The export failed. Please try again later.')).toBeNull();
    await make();

    expect(await screen.findByRole('button', { name: /^Download/ })).toBeVisible();
  });

  test('a refusal is shown in the words of the server', async () => {
    const { user, server } = await open();
    const detail = 'Your data was exported often today. Please try again in 3 hours.';
    server.refuse(startExport, { status: 429, body: { code: 'rate_limited', detail } });

    await user.click(await screen.findByRole('button', { name: 'Export my data' }));

    expect(await screen.findByText(detail)).toBeVisible();
    server.heal(startExport);
    await user.click(button('Export my data'));
    expect(await screen.findByText('Your data is being gathered...')).toBeVisible();
    expect(screen.queryByText(detail)).toBeNull();
  });

  test('a state that cannot be loaded can be loaded again', async () => {
    const server = await startServer();
    const token = await server.signUp(person);
    const app = await renderApp('/account', {
      server,
      as: { telegramId: person, token },
      onConnect: (network) => network.refuse(readExport, { status: 500 }),
    });
    const title = 'The state of your export could not be loaded.';
    expect(await screen.findByText(title)).toBeVisible();

    app.server.heal(readExport);
    await app.user.click(button('Try again'));

    expect(await screen.findByRole('button', { name: 'Export my data' })).toBeVisible();
  });

  test('a server without exports shows none', async () => {
    const server = await startServer();
    await renderApp('/account', {
      server,
      as: { telegramId: person, token: await server.signUp(person) },
      onConnect: (network) =>
        network.refuse(readCapabilities, {
          status: 200,
          body: { capabilities: ['auth.logout', 'auth.sessions'] },
        }),
    });

    await screen.findByRole('button', { name: 'Delete Account' });
    expect(screen.queryByRole('heading', { name: 'Your data' })).toBeNull();
  });
});

describe('inside Telegram', () => {
  test('the bot sends the file to the chat of the user', async () => {
    const { user, make, api } = await openInTelegram();

    await user.click(
      await screen.findByRole('button', { name: 'Send it to my chat with the bot' }),
    );
    await screen.findByText('Your data is being gathered...');
    await make();

    expect(await screen.findByText('The bot has sent it to you, too.')).toBeVisible();
    expect(api.documents.map(({ to, name }) => ({ to, name }))).toEqual([
      { to: person, name: 'nori-data.zip' },
    ]);
  });

  test('Telegram is asked to save the file', async () => {
    const { user, make, bridge } = await openInTelegram();
    await user.click(await screen.findByRole('button', { name: 'Export my data' }));
    await screen.findByText('Your data is being gathered...');
    await make();

    await user.click(await screen.findByRole('button', { name: /^Download/ }));

    await waitFor(() =>
      expect(
        bridge?.sent.findLast(({ name }) => name === 'web_app_request_file_download')?.data,
      ).toEqual({
        url: expect.stringMatching(/^https:\/\/nori\.example\.org\/backend\/exports\//),
        file_name: 'nori-data.zip',
      }),
    );
  });

  test('a download that is declined is not taken for one', async () => {
    const { user, make, bridge } = await openInTelegram();
    if (bridge) {
      bridge.answers['web_app_request_file_download'] = () => [
        'file_download_requested',
        { status: 'cancelled' },
      ];
    }
    await user.click(await screen.findByRole('button', { name: 'Export my data' }));
    await screen.findByText('Your data is being gathered...');
    await make();

    await user.click(await screen.findByRole('button', { name: /^Download/ }));

    expect(await screen.findByText(/The download did not start/)).toBeVisible();
  });
});
