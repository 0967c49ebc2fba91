/** Inside Telegram the screens have the shapes of its clients on iOS, Android and the desktop. */
import { findSmallTargets, findViolations } from '#tests/accessibility';
import {
  expect,
  type Frame,
  type Page,
  palettes,
  settle,
  stayLoggedIn,
  test,
  thoroughIf,
  toggle,
} from '#tests/e2e';

const shapes = { ios: 'ios', android: 'android', weba: 'desktop', webk: 'desktop' } as const;

for (const container of ['ios', 'android', 'weba', 'webk'] as const) {
  test(
    `the shape of ${container} is known before the scripts, and stays after a reload`,
    thoroughIf(container === 'webk'),
    async ({ page, open, unique }) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      await page.route(/\/assets\/.*\.js$/, async (route) => {
        await released;
        await route.continue();
      });
      const opening = open({ container, path: '/credits', telegramId: unique() });
      const framed = container === 'weba' || container === 'webk';
      const root = (framed ? page.frameLocator('[name=app]') : page).locator('html');
      await expect(root).toHaveAttribute('data-platform', shapes[container]);

      release();
      const { app, reload } = await opening;
      await expect(app.locator('html')).toHaveAttribute('data-power', 'normal');
      await expect(app.locator('html')).toHaveAttribute('data-platform', shapes[container]);
      await reload();
      await expect(app.getByRole('button', { name: 'More' })).toBeVisible();
      await expect(app.locator('html')).toHaveAttribute('data-platform', shapes[container]);
    },
  );
}

test('the website has no shape of Telegram’s, also from a copied address', async ({
  page,
  nori,
}) => {
  await page.goto(`${nori.origin}/credits#tgWebAppVersion=9.1&tgWebAppPlatform=ios`);

  await expect(page.getByRole('banner')).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-power', 'normal');
  await expect(page.locator('html')).not.toHaveAttribute('data-platform');
});

for (const container of ['ios', 'android'] as const) {
  test(
    `the dashboard begins at once on ${container}, and logging out is in “More”`,
    thoroughIf(container === 'android'),
    async ({ open, nori, unique }) => {
      const member = await nori.member(unique());
      await nori.chat(member, -unique(), 'Rice lovers');
      const { app } = await open({ container, path: '/dashboard', telegramId: member.telegramId });
      const chat = app.getByRole('link', { name: /Rice lovers/ });
      await expect(chat).toBeVisible();

      // No title above the tab's own, and no website's buttons beside it.
      await expect(app.getByRole('main').getByRole('button', { name: 'Logout' })).toHaveCount(0);
      await expect(app.getByRole('main').getByRole('link', { name: 'Account' })).toHaveCount(0);
      const search = await app.getByRole('searchbox').boundingBox();
      expect(search?.y).toBeLessThanOrEqual(24);
      expect((await chat.boundingBox())?.y).toBeLessThanOrEqual(200);
      // For screen readers both titles are there.
      await expect(app.getByRole('heading', { level: 1, name: 'Nori Dashboard' })).toBeAttached();
      await expect(app.getByRole('heading', { name: 'Manage Your Chats' })).toBeAttached();

      await app.getByRole('navigation').getByRole('button', { name: 'More' }).click();
      const more = app.getByRole('dialog', { name: 'More' });
      await expect(more.getByRole('link', { name: 'Account' })).toBeVisible();
      // A row that still moves slips away from under the pointer.
      await settle(app);
      await more.getByRole('button', { name: 'Logout' }).click();
      const question = app.getByRole('dialog', { name: 'Confirm Logout' });
      await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await expect(app.getByRole('dialog')).toHaveCount(0);
    },
  );
}

test('on the website the dashboard has its title, and the button that logs out', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  await nori.chat(member, -unique(), 'Rice lovers');
  await stayLoggedIn(page, member);
  const { app } = await open({ container: 'phone browser', path: '/dashboard' });

  await expect(app.getByRole('heading', { level: 1, name: 'Nori Dashboard' })).toBeVisible();
  await expect(app.getByRole('main').getByRole('button', { name: 'Logout' })).toBeVisible();
});

const switches = {
  ios: { width: 51, height: 31 },
  android: { width: 37, height: 20 },
  weba: { width: 48, height: 28 },
} as const;

for (const container of ['ios', 'android', 'weba'] as const) {
  test(`switches have the size of those on ${container}`, async ({ open, nori, unique }) => {
    const member = await nori.member(unique());
    const chat = -unique();
    await nori.chat(member, chat, 'Rice lovers');
    const { app } = await open({
      container,
      path: `/dashboard?chat=${chat}`,
      telegramId: member.telegramId,
    });
    await expect(toggle(app, 'photo')).toBeVisible();

    expect(await toggle(app, 'photo').boundingBox()).toMatchObject(switches[container]);
  });
}

/** Notes from where each screen moves in: looks at every frame which animations the content has. */
function watchArrivals(page: Page) {
  return page.addInitScript(() => {
    const known = new Set<Animation>();
    window.arrivals = [];
    const look = () => {
      for (const animation of document.getElementById('content')?.getAnimations() ?? []) {
        const { effect } = animation;
        if (!known.has(animation) && effect instanceof KeyframeEffect) {
          known.add(animation);
          const [from] = effect.getKeyframes();
          window.arrivals?.push(`${from?.['transform'] ?? 'none'}, ${from?.['opacity'] ?? '1'}`);
        }
      }
      requestAnimationFrame(look);
    };
    look();
  });
}

const readArrivals = (app: Frame) => app.evaluate(() => window.arrivals);

const arrivals = {
  ios: [
    'translateX(calc(40% * var(--direction))), 1',
    'translateX(calc(-25% * var(--direction))), 1',
  ],
  android: ['translateY(3rem), 0', 'none, 0.3'],
} as const;

for (const container of ['ios', 'android'] as const) {
  test(
    `a chat moves in and out as on ${container}, and the tabs do not`,
    thoroughIf(container === 'android'),
    async ({ open, page, nori, unique }) => {
      await watchArrivals(page);
      const member = await nori.member(unique());
      await nori.chat(member, -unique(), 'Rice lovers');
      const { telegramId } = member;
      const { app, pressBack } = await open({ container, path: '/credits', telegramId });
      await app.getByRole('navigation').getByRole('button', { name: 'Home' }).click();
      await expect(app.getByRole('heading', { name: 'Hi, Mika' })).toBeVisible();
      await app.getByRole('navigation').getByRole('button', { name: 'Dashboard' }).click();
      const chat = app.getByRole('link', { name: /Rice lovers/ });
      await expect(chat).toBeVisible();
      expect(await readArrivals(app)).toEqual([]);

      await chat.click();
      await expect(toggle(app, 'photo')).toBeVisible();
      await pressBack();
      await expect(chat).toBeVisible();

      expect(await readArrivals(app)).toEqual(arrivals[container]);
    },
  );
}

test('for a user who wants less motion nothing moves in', async ({ open, page, nori, unique }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await watchArrivals(page);
  const member = await nori.member(unique());
  await nori.chat(member, -unique(), 'Rice lovers');
  const { telegramId } = member;
  const { app } = await open({ container: 'ios', path: '/dashboard', telegramId });

  await app.getByRole('link', { name: /Rice lovers/ }).click();
  await expect(toggle(app, 'photo')).toBeVisible();

  expect(await readArrivals(app)).toEqual([]);
});

/** As no client ships it: little contrast, and colours that fight each other. */
const strangePalette = {
  bg_color: '#fff3b0',
  secondary_bg_color: '#ffd6e8',
  section_bg_color: '#c8f7dc',
  text_color: '#335533',
  hint_color: '#b0c4a0',
  subtitle_text_color: '#c0d0b0',
  link_color: '#ffb347',
  accent_text_color: '#ff9ecf',
  section_header_text_color: '#f5e663',
  section_separator_color: '#ffffff',
  button_color: '#ffe066',
  button_text_color: '#fff8dc',
  destructive_text_color: '#ffb3b3',
};

for (const [name, palette] of Object.entries({ strange: strangePalette, dark: palettes.dark })) {
  for (const container of ['ios', 'android'] as const) {
    test(
      `in a ${name} palette everything can be read and pressed on ${container}`,
      thoroughIf((name === 'dark') === (container === 'ios')),
      async ({ open, page, nori, unique }) => {
        const member = await nori.member(unique());
        await nori.chat(member, -unique(), 'Rice lovers');
        const { telegramId } = member;
        const { app } = await open({ container, path: '/dashboard', telegramId, palette });
        const check = async (place: string) => {
          await settle(app);
          expect(await findViolations(page), place).toEqual([]);
          expect(await findSmallTargets(app), place).toEqual([]);
        };

        await expect(app.getByRole('link', { name: /Rice lovers/ })).toBeVisible();
        await check('list');
        await app.getByRole('navigation').getByRole('button', { name: 'More' }).click();
        const more = app.getByRole('dialog', { name: 'More' });
        await expect(more.getByRole('link', { name: 'Account' })).toBeVisible();
        await check('More');
        await more.getByRole('button', { name: 'Logout' }).click();
        const question = app.getByRole('dialog', { name: 'Confirm Logout' });
        await expect(question).toBeVisible();
        await check('question');
        await question.getByRole('button', { name: 'Cancel' }).click();
        await app.getByRole('navigation').getByRole('button', { name: 'More' }).click();
        await more.getByRole('link', { name: 'Account' }).click();
        await expect(app.getByText('This device')).toBeVisible();
        await check('account');
      },
    );
  }
}

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only interfaces can be merged.
  interface Window {
    arrivals?: string[];
  }
}
