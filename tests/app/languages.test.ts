/** Choosing the language: the same place in the other one, with what was typed, the session and the choice. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { setAccountLanguage } from '#contract/endpoints/language';
import { type Language, languagePrefix, languages } from '#contract/languages';
import { renderApp, startServer } from '#tests/render-app';

/** Where the page leads: the test has no browser that would load it. */
let opened: string | undefined;

function build(language: Language): void {
  vi.stubEnv('NORI_LANGUAGES', 'en,ru,pt-BR');
  vi.stubEnv('NORI_LANGUAGE_NAMES', 'English,Русский,Português (Brasil)');
  vi.stubEnv('NORI_PREFIX', languagePrefix(language));
  vi.stubEnv('NORI_LANGUAGE', language);
}

beforeEach(() => {
  opened = undefined;
  vi.spyOn(window.location, 'replace').mockImplementation((address) => {
    opened = String(address);
  });
  return () => {
    document.cookie = 'language=; Max-Age=0; Path=/';
  };
});

type App = Awaited<ReturnType<typeof renderApp>>;

const footer = () => within(screen.getByRole('contentinfo'));

/** Chooses in the website's footer. */
async function choose(app: App, language: Language): Promise<void> {
  const menu = await footer().findByRole('combobox', { name: 'Language' });
  await waitFor(() => expect(within(menu).getAllByRole('option')).toHaveLength(3));
  await app.user.selectOptions(menu, languages[language].name);
  await waitFor(() => expect(opened).toBeDefined());
}

/** Loads the page to which the choice led, as the inline script leaves its address. */
async function follow(app: App, language: Language): Promise<void> {
  build(language);
  window.history.replaceState(null, '', opened?.replace(/[?&]lang=[^&#]*/, ''));
  await app.reload();
}

describe('the menu in the footer', () => {
  test('names each language in its own words', async () => {
    build('en');
    await renderApp('/login');

    const menu = await footer().findByRole('combobox', { name: 'Language' });

    await waitFor(() =>
      expect(
        within(menu)
          .getAllByRole('option')
          .map(({ lang, textContent }) => [lang, textContent]),
      ).toEqual([
        ['en', 'English'],
        ['ru', 'Русский'],
        ['pt-BR', 'Português (Brasil)'],
      ]),
    );
    expect(menu).toHaveValue('en');
  });

  test('is missing on a site in English alone', async () => {
    await renderApp('/login');

    await screen.findByRole('heading', { name: 'Log in' });
    expect(footer().queryByRole('combobox')).toBeNull();
  });

  test.each([
    ['en', '/login', 'ru', '/ru/login?lang=ru'],
    ['en', '/', 'pt-BR', '/pt-br?lang=pt-BR'],
    ['en', '/features?category=inline#top', 'ru', '/ru/features?category=inline&lang=ru#top'],
    ['ru', '/ru/login', 'en', '/login?lang=en'],
    ['ru', '/ru', 'en', '/?lang=en'],
    ['ru', '/ru?a=1', 'pt-BR', '/pt-br?a=1&lang=pt-BR'],
  ] as const)('of %s at %s leads to %s: %s', async (...[from, path, language, expected]) => {
    build(from);
    const app = await renderApp(path);

    await choose(app, language);

    expect(opened).toBe(expected);
    expect(localStorage.getItem('language')).toBe(language);
    expect(document.cookie).toContain(`language=${language}`);
  });

  test('sets the one cookie that the privacy policy names, for the year that it gives', async () => {
    build('en');
    const app = await renderApp('/privacy-policy');
    expect(
      await screen.findByText(/by a cookie that is named “language”.+It lasts a year\.$/),
    ).toBeVisible();
    const set = vi.spyOn(document, 'cookie', 'set');

    await choose(app, 'ru');

    expect(set.mock.calls).toEqual([
      [`language=ru; Path=/; Max-Age=${365 * 24 * 60 * 60}; SameSite=Lax`],
    ]);
  });
});

describe('after a choice', () => {
  const chosen = async (path: string) => {
    localStorage.setItem('language', 'ru');
    document.cookie = 'language=ru; Path=/';
    build('ru');
    return renderApp(path);
  };

  /** The last entry of the menu; its tests are in English. */
  async function followBrowser(app: App): Promise<void> {
    const menu = await footer().findByRole('combobox', { name: 'Language' });
    await waitFor(() => expect(within(menu).getAllByRole('option')).toHaveLength(4));
    await app.user.selectOptions(menu, 'As in the browser');
    await waitFor(() => expect(opened).toBeDefined());
  }

  test('the menu leads back to the language of the browser, which forgets the choice', async () => {
    const app = await chosen('/ru/features?category=inline#top');

    await followBrowser(app);

    // Without a prefix the language of the browser decides.
    expect(opened).toBe('/features?category=inline#top');
    expect(localStorage.getItem('language')).toBeNull();
    expect(document.cookie).not.toContain('language');
  });

  test('also from English, whose address stays', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {
      opened = 'again';
    });
    const app = await chosen('/ru/login');
    build('en');
    window.history.replaceState(null, '', '/login#top');
    await app.reload();

    await followBrowser(app);

    expect(reload).toHaveBeenCalledOnce();
    expect(localStorage.getItem('language')).toBeNull();
  });

  test('inside Telegram it is the language of Telegram', async () => {
    localStorage.setItem('language', 'ru');
    build('ru');
    const app = await renderApp('/ru', { launch: { telegramId: 4711 } });
    await app.user.click(await screen.findByRole('button', { name: 'More' }));

    const menu = await screen.findByRole('combobox', { name: 'Language' });
    await app.user.selectOptions(menu, 'As in Telegram');

    await waitFor(() => expect(opened).toBe('/'));
  });
});

describe('the page in the other language', () => {
  test('has what was typed, and no secret', async () => {
    build('en');
    const app = await renderApp('/signup');
    await app.user.type(await screen.findByLabelText('Telegram User ID'), '4711');
    await app.user.type(screen.getByLabelText('Email Address'), 'mika@example.org');
    await app.user.type(screen.getByLabelText('Password'), 'hunter2hunter2');

    await choose(app, 'ru');
    expect(sessionStorage.getItem('nori_place')).not.toContain('hunter2');
    await follow(app, 'ru');

    await waitFor(() => expect(screen.getByLabelText('Telegram User ID')).toHaveValue('4711'));
    expect(screen.getByLabelText('Email Address')).toHaveValue('mika@example.org');
    expect(screen.getByLabelText('Password')).toHaveValue('');
    // React knows the values, too: another key draws the form again.
    await app.user.type(screen.getByLabelText('Password'), 'x');
    expect(screen.getByLabelText('Email Address')).toHaveValue('mika@example.org');
    expect(sessionStorage.getItem('nori_place')).toBeNull();
  });

  test('keeps the focus on the menu', async () => {
    build('en');
    const app = await renderApp('/login');
    await choose(app, 'ru');

    await follow(app, 'ru');

    await waitFor(() => expect(footer().getByRole('combobox', { name: 'Language' })).toHaveFocus());
  });

  test('at another address, or after a while, has nothing of it', async () => {
    build('en');
    const app = await renderApp('/login');
    await app.user.type(await screen.findByLabelText('Telegram User ID'), '4711');
    await choose(app, 'ru');
    opened = '/ru/signup';

    await follow(app, 'ru');

    await footer().findByRole('combobox', { name: 'Language' });
    expect(await screen.findByLabelText('Telegram User ID')).toHaveValue('');
  });

  test('leads after the login to where the user wanted to be', async () => {
    build('en');
    const testServer = await startServer();
    const token = await testServer.signUp(4711);
    const app = await renderApp('/dashboard?step=add', { server: testServer });
    await screen.findByRole('heading', { name: 'Log in' });
    await choose(app, 'ru');

    await follow(app, 'ru');
    await screen.findByRole('heading', { name: 'Log in' });
    await waitFor(() =>
      expect(window.history.state).toMatchObject({ usr: { from: '/dashboard?step=add' } }),
    );
    const { startSession } = await import('#lib/session');
    startSession({ token, telegramId: '4711' });

    await waitFor(() =>
      expect(window.location.pathname + window.location.search).toBe('/ru/dashboard?step=add'),
    );
  });

  test('goes its ways in its language', async () => {
    build('ru');
    const app = await renderApp('/ru/login');

    await app.user.click(footer().getByRole('link', { name: 'Privacy Policy' }));

    expect(window.location.pathname).toBe('/ru/privacy-policy');
    expect(screen.getByRole('link', { name: 'Nori' })).toHaveAttribute('href', '/ru');
  });
});

describe('inside Telegram', () => {
  test('the menu is behind "More", and the launch survives', async () => {
    build('en');
    const app = await renderApp('/', { launch: { telegramId: 4711, startParam: 'setup' } });
    await waitFor(() => expect(window.location.search).toBe('?step=add'));
    await app.user.click(await screen.findByRole('button', { name: 'More' }));
    const menu = await screen.findByRole('combobox', { name: 'Language' });

    await app.user.selectOptions(menu, 'Русский');

    await waitFor(() => expect(opened).toMatch(/^\/ru\/\S+lang=ru$/));
    await follow(app, 'ru');
    await screen.findByRole('button', { name: 'More' });
    expect(window.location.pathname).toMatch(/^\/ru\//);
    expect(document.documentElement.dataset['container']).toBe('telegram');
  });

  test('a link to a chat opens it in the language of the page', async () => {
    build('ru');

    await renderApp('/ru', { launch: { telegramId: 4711, startParam: 'setup' } });

    await waitFor(() => expect(window.location.pathname).toMatch(/^\/ru\/(?:dashboard|signup)$/));
  });
});

describe('the server', () => {
  test('is told by the next page, once, when the user is logged in', async () => {
    build('en');
    const app = await renderApp('/account', { as: 4711 });
    await screen.findByRole('heading', { name: 'Your account' });
    await choose(app, 'ru');
    expect(app.server.requestsTo(setAccountLanguage)).toHaveLength(0);

    await follow(app, 'ru');

    await waitFor(() => expect(app.server.requestsTo(setAccountLanguage)).toHaveLength(1));
    await waitFor(() => expect(sessionStorage.getItem('nori_language_unsent')).toBeNull());
    await app.reload();
    await footer().findByRole('combobox', { name: 'Language' });
    expect(app.server.requestsTo(setAccountLanguage)).toHaveLength(1);
  });

  test('is told, too, that nothing is chosen any more', async () => {
    localStorage.setItem('language', 'ru');
    build('ru');
    const app = await renderApp('/ru/account', { as: 4711 });
    await screen.findByRole('heading', { name: 'Your account' });
    const menu = await footer().findByRole('combobox', { name: 'Language' });
    await waitFor(() => expect(within(menu).getAllByRole('option')).toHaveLength(4));
    await app.user.selectOptions(menu, 'As in the browser');
    await waitFor(() => expect(opened).toBe('/account'));

    await follow(app, 'en');

    await waitFor(() => expect(app.server.requestsTo(setAccountLanguage)).toHaveLength(1));
    expect(app.server.requestsTo(setAccountLanguage)[0]).toMatchObject({
      body: { language: null },
    });
  });
});
