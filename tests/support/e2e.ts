/** Fixtures and helpers of the browser tests: the running product, users and chats, and the container around the page. */
import { test as base, expect, type Frame, type Locator, type Page } from '@playwright/test';
import { existsSync } from 'node:fs';

import { type Language, languagePrefix } from '#contract/languages';

import { type Nori, startNori } from './e2e-server.ts';
import { installNativeBridge, type SentEvent } from './native-bridge.ts';
import { settle } from './settle.ts';
import { type Spoken } from './spoken.ts';
import { webHostPage } from './web-host.ts';

export { expect, type Frame, type Locator, type Page } from '@playwright/test';
export { type Nori } from './e2e-server.ts';
export { settle } from './settle.ts';

/** Telegram's palettes as its clients ship them. */
export const palettes = {
  light: {
    bg_color: '#ffffff',
    secondary_bg_color: '#f1f1f1',
    section_bg_color: '#ffffff',
    text_color: '#000000',
    hint_color: '#999999',
    link_color: '#2481cc',
    button_color: '#40a7e3',
    button_text_color: '#ffffff',
    destructive_text_color: '#df3f40',
  },
  dark: {
    bg_color: '#17212b',
    secondary_bg_color: '#232e3c',
    section_bg_color: '#17212b',
    text_color: '#f5f5f5',
    hint_color: '#708499',
    link_color: '#6ab3f3',
    button_color: '#5288c1',
    button_text_color: '#ffffff',
    destructive_text_color: '#ec3942',
  },
} as const;
type Palette = Readonly<Record<string, string>>;

/** Containers in which the app can run. */
const containers = ['browser', 'phone browser', 'weba', 'webk', 'ios', 'android'] as const;
export type Container = (typeof containers)[number];

const viewports = {
  browser: { width: 1280, height: 800 },
  'phone browser': { width: 390, height: 844 },
  weba: { width: 390, height: 844 },
  webk: { width: 1280, height: 800 },
  ios: { width: 390, height: 844 },
  android: { width: 360, height: 740 },
} as const satisfies Record<Container, { width: number; height: number }>;

export type OpenOptions = {
  readonly container: Container;
  readonly path?: string;
  /** The Telegram user; without meaning in a browser. */
  readonly telegramId?: number;
  readonly startParam?: string;
  readonly palette?: Palette;
  /** The Mini App version of Telegram's client; 9.1 by default. */
  readonly version?: string;
  /** Of the user's Telegram; English by default. */
  readonly language?: string;
  /** The request to join a group for which Telegram opens the page. */
  readonly joinQuery?: string | undefined;
};

/** The app on a page, and Telegram around it, if any. */
export type OpenedApp = {
  /** The frame in which the app runs. */
  readonly app: Frame;
  readonly page: Page;
  readonly container: Container;
  readonly isTelegram: boolean;
  /** The events that Telegram's client received, in order; only those with `name` when given. */
  readonly sent: (name?: string) => Promise<readonly SentEvent[]>;
  /** Sends an event as the client does. */
  readonly emit: (name: string, data?: unknown) => Promise<void>;
  /** Presses Telegram's back button; fails when the app does not show it. */
  readonly pressBack: () => Promise<void>;
  /** Presses the screen's primary button: in the page, or Telegram's main button. */
  readonly submit: (name: string) => Promise<void>;
  readonly reload: () => Promise<void>;
};

type WorkerFixtures = { readonly nori: Nori };
type Fixtures = {
  readonly open: (options: OpenOptions) => Promise<OpenedApp>;
  /** A Telegram id or chat number that no other test has. */
  readonly unique: () => number;
  /** Console messages that this test expects; any other fails it. */
  readonly expected: RegExp[];
  readonly complaints: string[];
};

/**
 * Details of a test. One that repeats another in a further container or theme belongs to
 * `npm run test:thorough`.
 */
export const thoroughIf = (isRepeat: boolean): { readonly tag?: string } =>
  isRepeat ? { tag: '@thorough' } : {};

/**
 * Skips the tests of a file where `NORI_LANGUAGES` has left a language that they need out of the build. CI builds all,
 * so there they run in any case.
 */
export function requireLanguages(...tags: readonly Language[]): void {
  const missing = tags.filter((tag) => !existsSync(`dist${languagePrefix(tag)}/index.html`));
  const isLimited = Boolean(process.env['NORI_LANGUAGES']) && process.env['CI'] === undefined;
  test.skip(isLimited && missing.length > 0, `The build lacks ${missing.join(', ')}`);
}

/** Fills in the form of the registration, but for the Telegram ID, which only pages outside Telegram ask for. */
export async function fillSignup(app: Frame, say: Spoken, password: string): Promise<void> {
  await app
    .getByRole('textbox', { name: say('account-signup/signupTexts.email') })
    .fill('owner@example.org');
  for (const field of ['account/fields.password', 'account-signup/signupTexts.confirmPassword']) {
    await app.getByLabel(say(field), { exact: true }).fill(password);
  }
}

/** Changes to the dark theme, as Telegram's settings or another tab of the website do. */
export async function turnDark(app: Frame, page: Page): Promise<void> {
  // Transitions below the fold do not run until they are scrolled to, but axe looks there, too.
  await app.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      element.style.setProperty('transition', 'none', 'important');
    }
  });
  if (app === page.mainFrame()) {
    await page.evaluate(() => {
      localStorage.setItem('theme', 'dark');
      window.dispatchEvent(new StorageEvent('storage', { key: 'theme' }));
    });
    if ((await app.locator('[data-part="gate"]').count()) > 0) {
      // The page of the gate follows Telegram; on the website it reads the theme when it opens.
      await page.reload();
    }
  } else {
    await page.evaluate((palette) => window.setTelegramTheme?.(palette), palettes.dark);
  }
  await expect(app.locator('html')).toHaveAttribute('data-theme', 'dark');
  await settle(app);
}

/** A screen in one of its states, and how a user gets there. */
export type Screen = {
  readonly isMember?: boolean;
  /** Set for the usual state of a screen, which is also tried in Arabic and Hindi, and in a second client of Telegram's. */
  readonly isMain?: boolean;
  /** No other page may frame it, as Telegram's web clients would. */
  readonly isNeverFramed?: boolean;
  readonly path: (chatId: number) => string;
  /** Runs before the page is opened. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly reach: (app: Frame, page: Page) => Promise<void>;
};

let given = 0;

export const test = base.extend<Fixtures, WorkerFixtures>({
  nori: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter.
    async ({}, use) => {
      const nori = await startNori();
      await use(nori);
      await nori.close();
    },
    { scope: 'worker' },
  ],

  // oxlint-disable-next-line no-empty-pattern -- As above.
  unique: async ({}, use, { parallelIndex }) => {
    await use(() => {
      given += 1;
      return 100_000_000 + parallelIndex * 10_000_000 + given;
    });
  },

  // oxlint-disable-next-line no-empty-pattern -- As above.
  expected: async ({}, use) => {
    // The first two are about the simulated host: our page has no HTTPS in tests, and the host's frame
    // may run scripts with our origin, as Telegram's may. The browser also reports every refusal, such
    // as that of a new user's launch data.
    await use([
      /Mixed Content: .*127\.0\.0\.1/,
      /https:\/\/web\.telegram\.org/,
      /status of 404.*\/auth\/telegram$/,
      // Only the tests of a page without a network allow one.
      /Service Worker registration blocked by Playwright/,
      // A stream of events breaks off when the server is stopped, and is requested again.
      /ERR_(?:INCOMPLETE_CHUNKED_ENCODING|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|NETWORK_CHANGED).*\/events$/,
    ]);
  },

  complaints: [
    async ({ context, expected }, use) => {
      const complaints: string[] = [];
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') {
          complaints.push(`console.${message.type()}: ${message.text()} ${message.location().url}`);
        }
      });
      context.on('weberror', (error) => complaints.push(String(error.error())));
      await use(complaints);
      const unexpected = complaints.filter((text) => !expected.some((known) => known.test(text)));
      expect(unexpected, 'The browser reported this unexpectedly').toEqual([]);
    },
    { auto: true },
  ],

  open: async ({ page, nori }, use) => {
    await use((options) => openApp(page, nori, options));
  },
});

/** Opens the app on a page as a browser or one of Telegram's clients does. */
export async function openApp(page: Page, nori: Nori, options: OpenOptions): Promise<OpenedApp> {
  const { container } = options;
  const isTelegram = !container.includes('browser');
  const isFramed = container === 'weba' || container === 'webk';
  await page.setViewportSize(viewports[container]);
  await visit(page, nori, options);
  const app = isFramed ? await appFrame(page) : page.mainFrame();
  await waitForHydration(app);

  let reloads = 0;
  const sent = async (name?: string) => {
    const events = await page.evaluate(() => window.telegramClient?.sent ?? []);
    return name === undefined ? events : events.filter((event) => event.name === name);
  };
  const emit = (name: string, data?: unknown) =>
    page.evaluate(([event, payload]) => window.telegramClient?.emit(event, payload), [
      name,
      data,
    ] as const);

  return {
    app,
    page,
    container,
    isTelegram,
    sent,
    emit,
    async pressBack() {
      await expect.poll(() => isBackShown({ sent })).toBe(true);
      await emit('back_button_pressed');
    },
    async submit(name) {
      if (!isTelegram) {
        await app.getByRole('main').getByRole('button', { name, exact: true }).click();
        return;
      }
      await expect
        .poll(async () => (await sent('web_app_setup_main_button')).at(-1)?.data)
        .toMatchObject({ text: name, is_visible: true, is_active: true });
      await emit('main_button_pressed');
    },
    async reload() {
      if (isFramed) {
        // Telegram's web clients reload an app by this event once the app has said that it supports it.
        await expect.poll(async () => (await sent('iframe_ready')).length).toBeGreaterThan(reloads);
        reloads += 1;
        const loaded = page.waitForEvent('framenavigated', (frame) => frame === app);
        await emit('reload_iframe');
        await loaded;
      } else {
        await page.reload();
      }
    },
  };
}

/** React’s record of an element or a component; `return` is that of the one around it. */
type Fiber = {
  readonly alternate: Fiber | null;
  readonly flags: number;
  readonly return: Fiber | null;
};

/**
 * The prerendered page reacts to presses after hydration. React marks an element before it has finished with it, and loses
 * what is chosen in a menu meanwhile. It has finished when neither the element nor anything around it is flagged as new
 * (`getNearestMountedFiber` in react-dom).
 */
export async function waitForHydration(app: Frame): Promise<void> {
  await app.waitForFunction(() => {
    const [placement, hydrating] = [2, 4096];
    const isHydrated = (part: Element) => {
      const mark = Object.keys(part).find((key) => key.startsWith('__reactFiber'));
      let fiber: Fiber | null = mark === undefined ? null : Reflect.get(part, mark);
      while (fiber && !fiber.alternate && (fiber.flags & (placement | hydrating)) === 0) {
        fiber = fiber.return;
      }
      return mark !== undefined && (!fiber || fiber.alternate !== null);
    };
    if (document.querySelector('#root > * [data-part="gate"]') !== null) {
      // Its script is in the page.
      return true;
    }
    const main = document.querySelector('main');
    // The screen is hydrated after the shell.
    return main !== null && [main, main.firstElementChild ?? main].every(isHydrated);
  });
}

async function visit(page: Page, nori: Nori, options: OpenOptions): Promise<void> {
  const {
    container,
    path = '/',
    telegramId = 1,
    startParam,
    palette = palettes.light,
    version,
    language,
    joinQuery,
  } = options;
  if (container === 'browser' || container === 'phone browser') {
    await page.goto(nori.origin + path);
    return;
  }
  const start =
    startParam === undefined
      ? ''
      : `${path.includes('?') ? '&' : '?'}tgWebAppStartParam=${startParam}`;
  const hash = nori.launchHash({
    telegramId,
    client: container,
    palette,
    startParam,
    version,
    language,
    joinQuery,
  });
  const address = nori.origin + path + start + hash;
  if (container === 'ios' || container === 'android') {
    const insets = { top: 0, bottom: container === 'ios' ? 34 : 0 };
    await page.addInitScript(installNativeBridge, { kind: container, palette, insets });
    await page.goto(address);
    return;
  }
  await page.route('https://web.telegram.org/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: webHostPage({ client: container, address, palette }),
    }),
  );
  await page.goto(`https://web.telegram.org/${container === 'weba' ? 'a' : 'k'}/`);
}

async function appFrame(page: Page): Promise<Frame> {
  await expect.poll(() => page.frame({ name: 'app' })?.url() ?? '').toContain('http://127.0.0.1');
  const frame = page.frame({ name: 'app' });
  if (frame === null) {
    throw new Error('The host has no frame');
  }
  return frame;
}

/** Whether the app's last call shows Telegram's back button. */
export async function isBackShown({ sent }: Pick<OpenedApp, 'sent'>): Promise<boolean> {
  const last = (await sent('web_app_setup_back_button')).at(-1)?.data;
  return JSON.stringify(last ?? '').includes('true');
}

/** Types a code into the boxes, beginning with the first. */
export async function typeCode(app: Frame, code: string): Promise<void> {
  await app.getByRole('textbox', { name: 'Digit 1 of 6' }).click();
  await app.page().keyboard.type(code);
}

/** Presses a key in a field. A frame of another origin gets no keys before the user has clicked into it. */
export async function pressIn(field: Locator, key: string): Promise<void> {
  await field.click();
  await field.press(key);
}

/** The switch of a setting in a topic. */
export function toggle(app: Frame, setting: string, topic = 'General'): Locator {
  return app.getByRole('switch', { name: `${setting}, ${topic}`, exact: true });
}

/** Opens a menu, and chooses one of its items: the chat's menu, or that of `of`. */
export async function choose(app: Frame, item: string, of = 'Menu'): Promise<void> {
  await app.getByRole('button', { name: of, exact: true }).click();
  await app.getByRole('menuitem', { name: item }).click();
}

/** Chooses a topic where only one is shown at a time, which is on wide screens. */
export async function showTopic(app: Frame, topic: string): Promise<void> {
  const link = app.getByRole('navigation', { name: 'Topics' }).getByRole('link', { name: topic });
  await expect(link.or(app.getByRole('button', { name: 'Add topic' })).first()).toBeVisible();
  if (await link.isVisible()) {
    await link.click();
  }
}

/** Logs in by the form. */
export async function logIn(
  { app, submit }: OpenedApp,
  { telegramId, password }: { readonly telegramId: number; readonly password: string },
): Promise<void> {
  await app.getByRole('textbox', { name: 'Telegram User ID' }).fill(String(telegramId));
  await app.getByLabel('Password', { exact: true }).fill(password);
  await submit('Log In');
}

/** Stores a session in the page before its first script, as an earlier visit would. */
export async function stayLoggedIn(
  page: Page,
  { telegramId, token }: { readonly telegramId: number; readonly token: string },
): Promise<void> {
  await page.addInitScript(
    ([id, session]) => {
      if (sessionStorage.getItem('e2e_seeded') === null) {
        sessionStorage.setItem('e2e_seeded', '1');
        localStorage.setItem('accessToken', session);
        localStorage.setItem('telegram_id', id);
      }
    },
    [String(telegramId), token] as const,
  );
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only interfaces can be merged.
  interface Window {
    telegramClient?: ReturnType<typeof installNativeBridge>;
    setTelegramTheme?: (palette: Palette) => void;
  }
}
