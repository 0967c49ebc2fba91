/** Home: the hero, the bot's features, the links to Telegram, and the account for visitors. */
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { readCapabilities } from '#contract/endpoints/site';
import { renderApp, startServer } from '#tests/render-app';

const member = 4242;

const hero = async () => {
  const heading = await screen.findByRole('heading', { level: 1 });
  return within(heading.closest('section')!);
};
const section = async (name: string) => within(await screen.findByRole('region', { name }));

/** The addresses that the page has opened in another tab. */
const opened = vi.fn<(url: string, target: string, features: string) => null>(() => null);
beforeEach(() => {
  opened.mockClear();
  vi.stubGlobal('open', opened);
});
afterEach(() => vi.unstubAllEnvs());

/** A page for a server whose bot has this name. */
async function renderWithBot(username: string, options: Parameters<typeof renderApp>[1] = {}) {
  const server = await startServer();
  Object.assign(server.deps, { telegram: { username: () => Promise.resolve(username) } });
  return renderApp('/', { ...options, server });
}

describe('the hero', () => {
  test('describes Nori', async () => {
    await renderApp('/');

    const part = await hero();
    expect(
      part.getByRole('heading', { level: 1, name: 'The bot your group chat was missing' }),
    ).toBeVisible();
    expect(part.getByText(/Moderate topics, warn and mute by command, make art/)).toBeVisible();
  });

  test('links visitors to the login and to the features', async () => {
    await renderApp('/');

    const part = await hero();
    expect(part.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    expect(part.getByRole('link', { name: 'Features' })).toHaveAttribute('href', '/features');
    expect(part.queryByRole('link', { name: 'Dashboard' })).toBeNull();
  });

  test('links users to the dashboard instead of the login', async () => {
    const { user } = await renderApp('/', { as: member });

    const part = await hero();
    expect(part.queryByRole('link', { name: 'Login' })).toBeNull();
    await user.click(await part.findByRole('link', { name: 'Dashboard' }));

    await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  });

  test('opens the bot that the server runs', async () => {
    const { user } = await renderWithBot('nori_example_bot');

    const link = await (await hero()).findByRole('link', { name: 'Open the Bot' });
    expect(link).toHaveAttribute('href', 'https://t.me/nori_example_bot');
    await user.click(link);

    expect(opened).toHaveBeenCalledWith(
      'https://t.me/nori_example_bot',
      '_blank',
      'noopener,noreferrer',
    );
  });

  test('opens the bot that was set at build time, without a request', async () => {
    vi.stubEnv('VITE_BOT_USERNAME', '@built_in_bot');
    const { server } = await renderApp('/');

    expect(await (await hero()).findByRole('link', { name: 'Open the Bot' })).toHaveAttribute(
      'href',
      'https://t.me/built_in_bot',
    );
    expect(server.requestsTo(readCapabilities)).toHaveLength(0);
  });

  test('without a bot has a disabled button, with the variable that sets it', async () => {
    await renderApp('/');

    const button = await (await hero()).findByRole('button', { name: 'Open the Bot' });
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription('Set BOT_TOKEN to link a bot.');
  });
});

describe('below the hero', () => {
  test('the sections are in their order', async () => {
    await renderApp('/');

    await screen.findByRole('region', { name: 'Total Usage' });
    const headings = within(screen.getByRole('main'))
      .getAllByRole('heading')
      .map(({ textContent }) => textContent);
    expect(headings).toEqual([
      'The bot your group chat was missing',
      'One bot, the whole group',
      'Total Usage',
      "Today's Usage",
      'Multi-purpose',
      'Generate content',
      'Inline query',
      '24/7 availability',
      'At home in Telegram',
      'Create an account',
    ]);
  });

  test('the messaging app has links to the bot and to the updates channel', async () => {
    vi.stubEnv('VITE_UPDATES_URL', 'https://t.me/nori_example_news');
    const { user } = await renderWithBot('nori_example_bot');

    const part = await section('At home in Telegram');
    expect(await part.findByRole('link', { name: 'Open the Bot' })).toHaveAttribute(
      'href',
      'https://t.me/nori_example_bot',
    );
    await user.click(part.getByRole('link', { name: 'Updates Channel' }));
    expect(opened).toHaveBeenCalledWith(
      'https://t.me/nori_example_news',
      '_blank',
      'noopener,noreferrer',
    );
  });

  test('an unset updates channel is disabled and names its variable to the operator', async () => {
    await renderApp('/');

    const button = (await section('At home in Telegram')).getByRole('button', {
      name: 'Updates Channel',
    });
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription(/VITE_UPDATES_URL/);
  });

  test('a visitor is offered an account', async () => {
    const { user } = await renderApp('/');

    const part = await section('Create an account');
    expect(part.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    await user.click(part.getByRole('link', { name: 'Sign Up' }));

    await waitFor(() => expect(window.location.pathname).toBe('/signup'));
  });

  test('a member is not', async () => {
    await renderApp('/', { as: member });

    expect(await (await hero()).findByRole('link', { name: 'Dashboard' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Create an account' })).toBeNull();
  });
});

describe('the code for a phone', () => {
  const onAScreen = ({ isDesk }: { readonly isDesk: boolean }) =>
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: isDesk && query.includes('hover: hover'),
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));

  test('opens the bot, and has a text for screen readers', async () => {
    onAScreen({ isDesk: true });
    await renderWithBot('nori_example_bot');

    expect(
      await screen.findByRole('img', { name: 'QR code that opens https://t.me/nori_example_bot' }),
    ).toBeVisible();
    expect(screen.getByText('Open in Telegram')).toBeVisible();
  });

  test('is not shown without a bot', async () => {
    onAScreen({ isDesk: true });
    await renderApp('/');

    await waitFor(() =>
      expect(screen.getByText(/to link a bot/)).toHaveAttribute('data-shown', 'true'),
    );
    expect(screen.queryByRole('img', { name: /QR code/ })).toBeNull();
  });

  test.each([
    ['on a phone', {}, false],
    ['inside Telegram', { launch: { telegramId: member } }, true],
  ] as const)('is not shown %s', async (_place, options, isDesk) => {
    onAScreen({ isDesk });
    await renderWithBot('nori_example_bot', options);

    const links = await screen.findAllByRole('link', { name: 'Open the Bot' });
    expect(links).toHaveLength(2);
    expect(screen.queryByRole('img', { name: /QR code/ })).toBeNull();
  });
});

describe('inside Telegram', () => {
  test('Home greets by name and opens the bot in Telegram itself', async () => {
    const { user, bridge } = await renderWithBot('nori_example_bot', {
      launch: { telegramId: member, firstName: 'Mika' },
    });

    expect(await screen.findByRole('heading', { level: 1, name: 'Hi, Mika' })).toBeVisible();
    await user.click(await (await hero()).findByRole('link', { name: 'Open the Bot' }));

    await waitFor(() =>
      expect(bridge?.sent).toContainEqual(
        expect.objectContaining({
          name: 'web_app_open_tg_link',
          data: expect.objectContaining({ path_full: '/nori_example_bot' }),
        }),
      ),
    );
    expect(opened).not.toHaveBeenCalled();
  });

  test('a name with markup is shown as text', async () => {
    await renderApp('/', { launch: { telegramId: member, firstName: '<b>Mika</b>' } });

    expect(await screen.findByRole('heading', { name: 'Hi, <b>Mika</b>' })).toBeVisible();
  });

  test('a new user gets a link to the signup', async () => {
    await renderApp('/', { launch: { telegramId: member } });

    await waitFor(async () =>
      expect((await hero()).getByRole('link', { name: 'Login' })).toHaveAttribute(
        'href',
        '/signup',
      ),
    );
    expect(await section('Create an account')).toBeDefined();
  });
});
