/** Every screen fits every width, can be pressed with a thumb, and can be used by everybody. */
import { AxeBuilder } from '@axe-core/playwright';

import {
  type Container,
  expect,
  type Frame,
  type Nori,
  type Page,
  palettes,
  stayLoggedIn,
  test,
  toggle,
  typeCode,
} from '#tests/e2e';

const widths = [320, 360, 390, 768, 1024, 1440, 2560];

type State = {
  readonly isMember?: boolean;
  readonly path: (chatId: number) => string;
  readonly reach: (app: Frame, page: Page) => Promise<void>;
};

/** Screens and their states, each with how a person gets there. */
const states: Readonly<Record<string, State>> = {
  home: {
    path: () => '/',
    reach: (app) => expect(app.getByRole('heading', { level: 1 })).toBeVisible(),
  },
  login: {
    path: () => '/login',
    reach: (app) => expect(app.getByRole('heading', { name: 'Log in' })).toBeVisible(),
  },
  'login with an error': {
    path: () => '/login',
    reach: async (app, page) => {
      await app.getByRole('textbox', { name: 'Telegram User ID' }).focus();
      await page.keyboard.press('Enter');
      await expect(app.getByText('All fields are required')).toBeVisible();
    },
  },
  signup: {
    path: () => '/signup',
    reach: (app) => expect(app.getByRole('heading', { name: 'Create Account' })).toBeVisible(),
  },
  'not found': {
    path: () => '/no/such/page',
    reach: (app) => expect(app.getByText('The link may be old.')).toBeVisible(),
  },
  'the list of chats': {
    isMember: true,
    path: () => '/dashboard',
    reach: (app) => expect(app.getByRole('link', { name: /Rice lovers/ })).toBeVisible(),
  },
  'a search without a find': {
    isMember: true,
    path: () => '/dashboard',
    reach: async (app) => {
      await app.getByRole('searchbox').fill('nobody has this');
      await expect(app.getByText('No chats found matching your search')).toBeVisible();
    },
  },
  'adding a chat': {
    isMember: true,
    path: () => '/dashboard?step=add',
    reach: (app) => expect(app.getByRole('textbox', { name: 'Telegram Chat ID' })).toBeVisible(),
  },
  'verifying a chat': {
    isMember: true,
    path: () => '/dashboard?verify=-42',
    reach: async (app) => {
      await app.getByRole('button', { name: 'I already have a code' }).click();
      await typeCode(app, '123');
    },
  },
  'the settings of a chat': {
    isMember: true,
    path: (chatId) => `/dashboard?chat=${chatId}`,
    reach: (app) => expect(toggle(app, 'photo')).toBeVisible(),
  },
  'the question before logging out': {
    isMember: true,
    path: () => '/dashboard',
    reach: async (app) => {
      await app.getByRole('main').getByRole('button', { name: 'Logout' }).click();
      await expect(app.getByRole('dialog', { name: 'Confirm Logout' })).toBeVisible();
    },
  },
};

/** A member with one chat, the same for all tests of a worker. */
const people = new WeakMap<
  Nori,
  Promise<{ member: Awaited<ReturnType<Nori['member']>>; chatId: number }>
>();

function owner(nori: Nori, unique: () => number) {
  const known =
    people.get(nori) ??
    (async () => {
      const member = await nori.member(unique());
      const chatId = -unique();
      await nori.chat(member, chatId, 'Rice lovers');
      return { member, chatId };
    })();
  people.set(nori, known);
  return known;
}

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .analyze();
  return (
    found
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`)
      // The host's own page is not ours.
      .filter(
        (text) =>
          !text.startsWith('page-has-heading-one: html') &&
          !text.startsWith('landmark-one-main: html') &&
          !text.startsWith('region: header'),
      )
  );
}

for (const container of ['browser', 'phone browser', 'weba'] satisfies Container[]) {
  for (const theme of ['light', 'dark'] as const) {
    test(`nobody is shut out of any screen: ${container}, ${theme}`, async ({
      open,
      page,
      nori,
      unique,
      expected,
    }) => {
      test.setTimeout(120_000);
      expected.push(/status of 404/);
      const { member, chatId } = await owner(nori, unique);
      const guestId = unique();
      if (container !== 'weba') {
        await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
      }
      const found: Record<string, string[]> = {};

      for (const [name, { path, reach, isMember = false }] of Object.entries(states)) {
        // One page, one screen after the other.
        // oxlint-disable no-await-in-loop
        await test.step(name, async () => {
          if (container !== 'weba') {
            await page.goto('about:blank');
            await page.addInitScript(
              ([token, id]) => {
                if (token === '') {
                  localStorage.removeItem('accessToken');
                } else {
                  localStorage.setItem('accessToken', token);
                  localStorage.setItem('telegram_id', id);
                }
              },
              [isMember ? member.token : '', String(member.telegramId)] as const,
            );
          } else {
            await page.unrouteAll();
          }
          const { app } = await open({
            container,
            path: path(chatId),
            telegramId: isMember ? member.telegramId : guestId,
            palette: palettes[theme],
          });
          await reach(app, page);
          await expect(app.locator('html')).toHaveAttribute('data-theme', theme);
          const problems = await violations(page);
          if (problems.length > 0) {
            found[name] = problems;
          }
        });
        // oxlint-enable no-await-in-loop
      }

      expect(found).toEqual({});
    });
  }
}

test('no screen scrolls sideways at any width', async ({ open, page, nori, unique, expected }) => {
  test.setTimeout(120_000);
  expected.push(/status of 404/);
  const { member, chatId } = await owner(nori, unique);
  const found: string[] = [];

  // oxlint-disable no-await-in-loop
  for (const [name, { path, reach, isMember = false }] of Object.entries(states)) {
    await page.addInitScript(
      ([token, id]) => {
        if (token === '') {
          localStorage.removeItem('accessToken');
        } else {
          localStorage.setItem('accessToken', token);
          localStorage.setItem('telegram_id', id);
        }
      },
      [isMember ? member.token : '', String(member.telegramId)] as const,
    );
    const { app } = await open({ container: 'browser', path: path(chatId) });
    await reach(app, page);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) {
        found.push(`${name} at ${width}: ${overflow} px too wide`);
      }
    }
  }
  // oxlint-enable no-await-in-loop

  expect(found).toEqual([]);
});

test.describe('with a thumb', () => {
  test.use({ hasTouch: true });

  for (const container of ['phone browser', 'android'] satisfies Container[]) {
    test(`everything that can be pressed is at least 44 px tall and wide: ${container}`, async ({
      open,
      page,
      nori,
      unique,
      expected,
    }) => {
      test.setTimeout(60_000);
      expected.push(/status of 404/);
      const { member, chatId } = await owner(nori, unique);
      await stayLoggedIn(page, member);
      const found: string[] = [];

      // oxlint-disable no-await-in-loop
      for (const [name, { path, reach, isMember = false }] of Object.entries(states)) {
        if (!isMember && name !== 'home') {
          continue;
        }
        const { app } = await open({
          container,
          path: path(chatId),
          telegramId: member.telegramId,
        });
        await reach(app, page);
        const small = await app.evaluate(() =>
          [...document.querySelectorAll('a, button, input, [role="switch"]')].flatMap((element) => {
            const target = element.closest('label') ?? element;
            const { width, height } = target.getBoundingClientRect();
            const isShown =
              width > 1 && height > 1 && getComputedStyle(target).visibility === 'visible';
            // A link inside a sentence is as tall as the sentence; the guideline lets it be.
            const isInText =
              element.localName === 'a' && getComputedStyle(element).display === 'inline';
            const label = element.ariaLabel ?? element.textContent;
            return isShown && !isInText && (width < 43.5 || height < 43.5)
              ? [`${element.localName} "${label}" ${Math.round(width)}×${Math.round(height)}`]
              : [];
          }),
        );
        found.push(...small.map((text) => `${name}: ${text}`));
      }
      // oxlint-enable no-await-in-loop

      expect(found).toEqual([]);
    });
  }
});

test('at the bottom of an iPhone nothing lies under the home indicator', async ({
  open,
  unique,
}) => {
  const { app } = await open({ container: 'ios', path: '/', telegramId: unique() });
  const home = app.getByRole('navigation').getByRole('button', { name: 'Home' });
  await expect(home).toBeVisible();

  await expect
    .poll(async () => {
      const box = await home.boundingBox();
      return 844 - ((box?.y ?? 0) + (box?.height ?? 0));
    })
    .toBeGreaterThanOrEqual(34);
});
