/** The callback pages of Spotify and AniList: texts, success, failure, and that a code is exchanged once. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import {
  confirmConnection,
  connectedServices,
  type ServiceId,
} from '#contract/endpoints/connections';
import { readCapabilities } from '#contract/endpoints/site';
import { finishCalls, startConnecting } from '#tests/connecting';
import { person } from '#tests/open-dashboard';
import { renderApp } from '#tests/render-app';

const services = [
  {
    id: 'spotify',
    label: 'Spotify',
    path: '/spotify-auth',
    success: 'Spotify account successfully linked! You can now use Spotify Now Playing in the bot.',
  },
  {
    id: 'anilist',
    label: 'AniList',
    path: '/anilist-auth',
    success: 'AniList account successfully linked! You can now use AniList features in the bot.',
  },
] as const satisfies readonly { readonly id: ServiceId; readonly [name: string]: string }[];

const title = (name: string) => screen.findByRole('heading', { level: 1, name });

test.each(services)('$label sends users back to this page', ({ id, path }) => {
  expect(connectedServices[id].returnPath).toBe(path);
});

/** The user has agreed. Returns the URL to which the service sends them. */
async function agree(service: (typeof services)[number]) {
  const linking = await startConnecting();
  const token = await linking.server.signUp(person);
  const { code, state } = await linking.agree(service.id, token);
  return {
    linking,
    token,
    /** The session in the browser in which the user began. */
    as: { telegramId: person, token },
    code,
    state,
    address: `${service.path}?${new URLSearchParams({ code, state })}`,
  };
}

describe.each(services)('$label', (service) => {
  const { id, label, path, success } = service;

  test('links the account at once where the user who began is logged in', async () => {
    const { linking, token, as, address } = await agree(service);

    const { server } = await renderApp(address, {
      server: linking.server,
      as,
    });

    expect(await title('Authorized successfully')).toBeVisible();
    expect(screen.getByText(success)).toBeVisible();
    expect(server.requestsTo(finishCalls[id])).toHaveLength(1);
    expect(await linking.readState(id, token)).toMatchObject({ state: 'linked' });
  });

  test('without a session, links it with the code that the bot sends to the user who began', async () => {
    const { linking, token, address } = await agree(service);

    const app = await renderApp(address, { server: linking.server });

    expect(await title('Enter the code')).toBeVisible();
    expect(
      screen.getByText(
        `The bot has sent a code to Telegram user •••${String(person).slice(-3)}. With it, ${label} is linked to the Nori account of that user.`,
      ),
    ).toBeVisible();
    expect(screen.queryByText(String(person))).toBeNull();
    expect(await linking.readState(id, token)).toMatchObject({ state: 'unlinked' });
    expect(screen.getByRole('textbox', { name: 'Digit 1 of 6' })).toHaveFocus();

    await app.user.paste(linking.server.readCode(person));
    await app.user.click(screen.getByRole('button', { name: `Link ${label}` }));

    expect(await title('Authorized successfully')).toBeVisible();
    expect(screen.getByText(success)).toBeVisible();
    expect(await linking.readState(id, token)).toMatchObject({ state: 'linked' });
    expect(app.server.requestsTo(finishCalls[id])[0]?.token).toBeUndefined();
    await app.reload();
    expect(await title('Authorized successfully')).toBeVisible();
  });

  test('shows that it connects, and removes the code from the URL', async () => {
    const { linking, as, code, state } = await agree(service);
    const app = await renderApp('/privacy-policy', {
      server: linking.server,
      as,
    });
    const release = app.server.hang(finishCalls[id]);

    app.goTo(`${path}?code=${code}&state=${state}`);

    expect(await title(`Connecting to ${label}...`)).toBeVisible();
    await waitFor(() => expect(window.location.search).toBe(''));
    expect(document.body.textContent).not.toContain(code);
    expect(screen.queryByRole('link', { name: 'Open the dashboard' })).toBeNull();

    release();
    expect(await title('Authorized successfully')).toBeVisible();
    expect(JSON.stringify(window.history.state)).not.toContain(code);
  });

  test('shows the result again after a reload, and exchanges nothing twice', async () => {
    const { linking, as, address } = await agree(service);
    const { server, reload } = await renderApp(address, {
      server: linking.server,
      as,
    });
    await title('Authorized successfully');

    await reload();

    expect(await title('Authorized successfully')).toBeVisible();
    expect(screen.getByText(success)).toBeVisible();
    expect(server.requestsTo(finishCalls[id])).toHaveLength(1);
  });

  test('reloaded while it connects, still succeeds', async () => {
    const { linking, token, as, code, state } = await agree(service);
    const app = await renderApp('/privacy-policy', {
      server: linking.server,
      as,
    });
    const release = app.server.hang(finishCalls[id]);
    app.goTo(`${path}?code=${code}&state=${state}`);
    await title(`Connecting to ${label}...`);
    await waitFor(() => expect(app.server.requestsTo(finishCalls[id])).toHaveLength(1));

    await app.reload();
    await title(`Connecting to ${label}...`);
    release();

    expect(await title('Authorized successfully')).toBeVisible();
    expect(await linking.readState(id, token)).toMatchObject({ state: 'linked' });
  });

  test('opened a second time, shows that it is linked', async () => {
    const { linking, token, as, address } = await agree(service);
    const { reload } = await renderApp(address, {
      server: linking.server,
      as,
    });
    await title('Authorized successfully');

    window.history.pushState(null, '', address);
    await reload();

    expect(await title('Authorized successfully')).toBeVisible();
    expect(await linking.readState(id, token)).toMatchObject({ state: 'linked' });
  });

  test('shows the error of the service when the user refused', async () => {
    const { server } = await renderApp(`${path}?error=access_denied&state=abc`);

    expect(await title('Authorization Failed')).toBeVisible();
    expect(
      screen.getByText(`${label} authorization failed: access_denied`, { exact: true }),
    ).toBeVisible();
    await waitFor(() => expect(window.location.search).toBe(''));
    expect(server.requestsTo(finishCalls[id])).toHaveLength(0);
  });

  test.each(['', '?code=abc', '?state=abc', '?code=&state=', '?code=%20&state=abc'])(
    'needs both the code and the state: %s',
    async (search) => {
      const { server } = await renderApp(path + search);

      expect(await title('Authorization Failed')).toBeVisible();
      expect(screen.getByText('Missing code or state in the callback URL.')).toBeVisible();
      expect(server.requestsTo(finishCalls[id])).toHaveLength(0);
    },
  );

  test('shows the message of a refusal, also after a reload', async () => {
    const linking = await startConnecting();
    const { server, reload } = await renderApp(`${path}?code=abc&state=nobody-knows-this`, {
      server: linking.server,
    });

    expect(await title('Authorization Failed')).toBeVisible();
    const sentence = 'This link has expired or was already used. Please start again from Nori.';
    expect(screen.getByText(sentence)).toBeVisible();

    await reload();
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(server.requestsTo(finishCalls[id])).toHaveLength(1);
  });

  test('shows a message of its own for a refusal without one', async () => {
    const app = await renderApp('/privacy-policy');
    app.server.refuse(finishCalls[id], { status: 500, body: '<h1>Bad Gateway</h1>' });

    app.goTo(`${path}?code=abc&state=def`);

    expect(await title('Authorization Failed')).toBeVisible();
    expect(screen.getByText(`Failed to complete ${label} authorization`)).toBeVisible();
  });

  test('can try again when no answer came', async () => {
    const { linking, token, as, code, state } = await agree(service);
    const app = await renderApp('/privacy-policy', {
      server: linking.server,
      as,
    });
    app.server.drop(finishCalls[id]);
    app.goTo(`${path}?code=${code}&state=${state}`);
    expect(await screen.findByText(`Failed to complete ${label} authorization`)).toBeVisible();

    app.server.heal(finishCalls[id]);
    await app.user.click(screen.getByRole('button', { name: 'Try again' }));

    expect(await title('Authorized successfully')).toBeVisible();
    expect(await linking.readState(id, token)).toMatchObject({ state: 'linked' });
  });
});

describe('the next steps', () => {
  const bot = { capabilities: ['connections.link', 'bot'], bot_username: 'bot_of_the_server' };

  test('lead back to Telegram without a session', async () => {
    const app = await renderApp('/privacy-policy');
    app.server.refuse(readCapabilities, { status: 200, body: bot });
    const open = vi.spyOn(window, 'open').mockReturnValue(null);

    app.goTo('/spotify-auth?error=access_denied');
    const link = await screen.findByRole('link', { name: 'Back to Telegram' });
    await app.user.click(link);

    expect(link).toHaveAttribute('href', 'https://t.me/bot_of_the_server');
    expect(open).toHaveBeenCalledWith(
      'https://t.me/bot_of_the_server',
      '_blank',
      expect.stringContaining('noopener'),
    );
    expect(screen.queryByRole('link', { name: 'Open the dashboard' })).toBeNull();
  });

  test('also lead to the dashboard for a logged-in user', async () => {
    const app = await renderApp('/privacy-policy', { as: person });
    app.server.refuse(readCapabilities, { status: 200, body: bot });

    app.goTo('/anilist-auth?error=access_denied');

    expect(await screen.findByRole('link', { name: 'Back to Telegram' })).toBeVisible();
    await app.user.click(screen.getByRole('link', { name: 'Open the dashboard' }));
    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });

  test('lead to the dashboard where no bot is known, and say why not to Telegram', async () => {
    await renderApp('/spotify-auth');

    expect(await screen.findByRole('link', { name: 'Open the dashboard' })).toHaveAttribute(
      'href',
      '/dashboard',
    );
    const toTelegram = screen.getByRole('button', { name: 'Back to Telegram' });
    expect(toTelegram).toBeDisabled();
    await waitFor(() =>
      expect(toTelegram).toHaveAccessibleDescription('Set BOT_TOKEN to link a bot.'),
    );
    expect(screen.queryByRole('link', { name: 'Back to Telegram' })).toBeNull();
  });

  test('inside Telegram need no way back to it', async () => {
    await renderApp('/spotify-auth', { launch: { telegramId: person } });

    expect(await screen.findByRole('link', { name: 'Open the dashboard' })).toBeVisible();
    expect(screen.queryByText('Back to Telegram')).toBeNull();
  });
});

describe('opened in two tabs', () => {
  /** A backend without an answer for a code that was used already. */
  const used = { status: 400, body: { detail: 'invalid_grant' } };

  test('the code is exchanged once, and both show that it is linked', async () => {
    const { linking, address, as } = await agree(services[0]);
    const first = await renderApp('/privacy-policy', { server: linking.server, as });
    const release = first.server.hang(finishCalls.spotify);
    first.goTo(address);
    await waitFor(() => expect(first.server.requestsTo(finishCalls.spotify)).toHaveLength(1));
    const second = await renderApp(address, {
      server: linking.server,
      as,
      onConnect: (network) => network.refuse(finishCalls.spotify, used),
    });
    await screen.findAllByRole('heading', { name: 'Connecting to Spotify...' });

    release();

    await waitFor(() =>
      expect(screen.getAllByRole('heading', { name: 'Authorized successfully' })).toHaveLength(2),
    );
    expect(second.server.requestsTo(finishCalls.spotify)).toHaveLength(0);
  });

  test('the second shows the same result when the first is done, and the device keeps no code', async () => {
    const { linking, address, as, code, state } = await agree(services[0]);
    await renderApp(address, { server: linking.server, as });
    await title('Authorized successfully');

    const later = await renderApp(address, {
      server: linking.server,
      as,
      onConnect: (network) => network.refuse(finishCalls.spotify, used),
    });

    await waitFor(() =>
      expect(screen.getAllByRole('heading', { name: 'Authorized successfully' })).toHaveLength(2),
    );
    expect(later.server.requestsTo(finishCalls.spotify)).toHaveLength(0);
    const stored = Object.values(localStorage).join(' ');
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(state);
  });

  test.each([429, 502])('the second tries again when the first was answered %i', async (status) => {
    const { linking, address, as } = await agree(services[0]);
    await renderApp(address, {
      server: linking.server,
      as,
      onConnect: (network) => network.refuse(finishCalls.spotify, { status }),
    });
    await title('Authorization Failed');

    await renderApp(address, { server: linking.server, as });

    expect(await title('Authorized successfully')).toBeVisible();
  });
});

describe('the code', () => {
  /** A page without a session asks for the code. */
  async function openPage() {
    const { linking, token, address } = await agree(services[0]);
    const app = await renderApp(address, { server: linking.server });
    await title('Enter the code');
    const code = linking.server.readCode(person);
    return {
      linking,
      token,
      app,
      code,
      wrong: String((Number(code) + 1) % 1_000_000).padStart(6, '0'),
      enter: async (digits: string) => {
        await app.user.paste(digits);
        await app.user.click(screen.getByRole('button', { name: 'Link Spotify' }));
      },
    };
  }
  const boxes = () =>
    screen.getAllByRole('textbox').map((box) => box instanceof HTMLInputElement && box.value);

  test('that is wrong empties the boxes, and the next may be right', async () => {
    const { linking, token, code, wrong, enter } = await openPage();

    await enter(wrong);
    expect(await screen.findByText('Invalid or expired verification code')).toBeVisible();
    expect(boxes()).toEqual(['', '', '', '', '', '']);
    expect(screen.getByRole('textbox', { name: 'Digit 1 of 6' })).toHaveFocus();
    await enter(code);

    expect(await title('Authorized successfully')).toBeVisible();
    expect(await linking.readState('spotify', token)).toMatchObject({ state: 'linked' });
  });

  test('that is not complete is not sent', async () => {
    const { app, enter } = await openPage();

    await app.user.keyboard('123');
    await enter('4');

    expect(await screen.findByText('Please enter all 6 digits.')).toBeVisible();
    expect(app.server.requestsTo(confirmConnection)).toHaveLength(0);
    expect(screen.getByRole('textbox', { name: 'Digit 4 of 6' })).toHaveFocus();
  });

  test('that is wrong five times ends the link, and the page says where to start again', async () => {
    const { linking, token, app, wrong, enter } = await openPage();
    for (let count = 1; count <= 5; count += 1) {
      await enter(wrong);
      await waitFor(() => expect(app.server.requestsTo(confirmConnection)).toHaveLength(count));
      await waitFor(() => expect(screen.queryByText('Linking...')).toBeNull());
    }

    expect(await title('Authorization Failed')).toBeVisible();
    expect(
      screen.getByText('Too many wrong codes. Nothing was linked. Please start again from Nori.'),
    ).toBeVisible();
    expect(screen.getByText('To try again, start from the dashboard in Nori.')).toBeVisible();
    expect(await linking.readState('spotify', token)).toMatchObject({ state: 'unlinked' });
  });

  test('that comes too late says so', async () => {
    const { linking, code, enter } = await openPage();
    linking.server.wait(5 * 60_000);

    await enter(code);

    expect(await title('Authorization Failed')).toBeVisible();
    expect(
      screen.getByText('This link has expired or was already used. Please start again from Nori.'),
    ).toBeVisible();
  });

  test('is asked for again after a reload, without another message', async () => {
    const { linking, app, code, enter } = await openPage();
    const messages = linking.server.inbox.length;

    await app.reload();
    await title('Enter the code');
    expect(linking.server.inbox).toHaveLength(messages);
    await enter(code);

    expect(await title('Authorized successfully')).toBeVisible();
    expect(app.server.requestsTo(finishCalls.spotify)).toHaveLength(1);
  });

  test('stays in its boxes when the server does not answer', async () => {
    const { app, code, enter } = await openPage();
    app.server.drop(confirmConnection);

    await enter(code);

    expect(await screen.findByText('Failed to complete Spotify authorization')).toBeVisible();
    expect(boxes().join('')).toBe(code);
    app.server.heal(confirmConnection);
    await app.user.click(screen.getByRole('button', { name: 'Link Spotify' }));
    expect(await title('Authorized successfully')).toBeVisible();
  });

  test('is not asked for by backends that link at once', async () => {
    const app = await renderApp('/privacy-policy');
    app.server.refuse(finishCalls.spotify, { status: 200, body: { message: 'linked' } });

    app.goTo('/spotify-auth?code=abc&state=def');

    expect(await title('Authorized successfully')).toBeVisible();
  });
});

test('a session that has ended does not stop the exchange', async () => {
  const { linking, code, state } = await agree(services[0]);

  const { server } = await renderApp(`/spotify-auth?code=${code}&state=${state}`, {
    server: linking.server,
    as: { telegramId: person, token: 'a-session-long-gone' },
  });

  expect(await title('Enter the code')).toBeVisible();
  expect(server.requestsTo(finishCalls.spotify)).toHaveLength(1);
});

test('a very long error is shortened and shown as text', async () => {
  const error = `<b>${'no'.repeat(400)}</b>`;
  await renderApp(`/spotify-auth?error=${encodeURIComponent(error)}`);

  await title('Authorization Failed');
  const shown = screen.getByText(/^Spotify authorization failed: <b>nono/);
  expect(shown.textContent.length).toBeLessThan(250);
});

test('search engines are told not to index the page', async () => {
  document.head.insertAdjacentHTML('beforeend', '<meta name="robots" content="index,follow">');
  await renderApp('/anilist-auth');
  await title('Authorization Failed');

  await waitFor(() =>
    expect(document.querySelector('meta[name="robots"]')).toHaveAttribute('content', 'noindex'),
  );
  document.querySelector('meta[name="robots"]')?.remove();
});
