/** Features, credits and the privacy policy in a real browser: printing, scrolling, keys and widths. */
import { commandsIn, isOffered } from '#contract/commands/index';
import { type Container, expect, type Page, settle, test, thoroughIf } from '#tests/e2e';

const pages = ['/features', '/features?command=topics', '/credits', '/privacy-policy'];

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    // Each press continues from the last one.
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
      return (label ?? element)?.textContent;
    });
    if (focused === name) {
      return;
    }
  }
  throw new Error(`Tab never arrives at ${name}`);
}

for (const theme of ['light', 'dark'] as const) {
  test(
    `the policy is printed alone, black on white: ${theme}`,
    thoroughIf(theme === 'dark'),
    async ({ open, page }) => {
      await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
      const { app } = await open({ container: 'browser', path: '/privacy-policy' });

      await page.emulateMedia({ media: 'print' });

      await expect(app.getByRole('banner')).toBeHidden();
      await expect(app.getByRole('contentinfo')).toBeHidden();
      await expect(app.getByRole('navigation')).toBeHidden();
      await expect(app.getByRole('button', { name: 'Contact us on Telegram' })).toBeHidden();
      await expect(app.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible();
      const painted = await app.evaluate(() => {
        const grounds = ['html', 'body', '#root', '#content', '#content > *'].flatMap(
          (selector) => {
            const element = document.querySelector(selector);
            return element === null ? [] : [getComputedStyle(element).backgroundColor];
          },
        );
        const inks = [...document.querySelectorAll('#content :is(h1, h2, p)')]
          .filter((element) => element.getClientRects().length > 0)
          .map((element) => getComputedStyle(element).color);
        return { grounds: [...new Set(grounds)], inks: [...new Set(inks)] };
      });
      expect(painted.inks).toEqual(['rgb(0, 0, 0)']);
      expect(painted.grounds.toSorted()).toEqual(['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)']);
      const everything = await app.getByRole('main').evaluate((main) => ({
        top: main.getBoundingClientRect().top,
        shown: [...document.querySelectorAll('body *')].filter(
          (element) =>
            element.getClientRects().length > 0 &&
            !main.contains(element) &&
            !element.contains(main),
        ).length,
      }));
      expect(everything).toEqual({ top: 0, shown: 0 });
    },
  );
}

test('inside Telegram the policy is printed alone, too', async ({ open, page, unique }) => {
  const { app } = await open({ container: 'ios', path: '/privacy-policy', telegramId: unique() });
  await expect(app.getByRole('button', { name: 'More' })).toBeVisible();

  await page.emulateMedia({ media: 'print' });

  await expect(app.getByRole('navigation')).toBeHidden();
  await expect(app.getByRole('heading', { name: 'Privacy Policy' })).toBeVisible();
});

for (const container of ['browser', 'phone browser', 'android'] satisfies Container[]) {
  test(
    `a link to a command scrolls to it, below the header: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, unique }) => {
      const { app } = await open({
        container,
        path: '/features?command=topics',
        telegramId: unique(),
      });
      const topics = app.getByRole('button', { name: 'Topics', exact: true });
      await expect(topics).toHaveAttribute('aria-expanded', 'true');

      await expect
        .poll(() =>
          topics.evaluate((button) => {
            const { top } = button.getBoundingClientRect();
            // Telegram has its own header.
            const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
            return { isUnderHeader: top >= header, isNear: top < 400 };
          }),
        )
        .toEqual({ isUnderHeader: true, isNear: true });
    },
  );
}

test('the features can be found and opened with a keyboard alone', async ({ open, page }) => {
  const { app } = await open({ container: 'browser', path: '/features' });
  await expect(app.getByRole('heading', { name: 'Nori Features' })).toBeVisible();

  await tabTo(page, 'Search features...');
  await page.keyboard.type('five');
  await expect(app.getByText('No features found matching "five"')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await tabTo(page, 'Group Management');
  await page.keyboard.press('End');
  await expect(app.getByRole('tab', { name: 'Inline' })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(app.getByRole('tab', { name: 'Anime (NSFW)' })).toBeFocused();
  await page.keyboard.press('Enter');

  const question = app.getByRole('dialog', { name: 'Age Confirmation' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(app.getByRole('tab', { name: 'Anime (NSFW)' })).toBeFocused();
  await expect(app.getByText('No features available in this category')).toBeVisible();

  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(question, 'asked once a visit').toHaveCount(0);

  await page.keyboard.press('ArrowRight');
  await expect(app.getByRole('tab', { name: 'Misc Tools' })).toBeFocused();
  // The next Tab leads into its list, which is drawn after the focus has moved.
  await expect(app.getByRole('button', { name: 'Help', exact: true })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(app.getByText('How to use:')).toBeVisible();
});

test('Escape cancels the age confirmation and leads to the first category', async ({
  open,
  page,
}) => {
  const { app } = await open({ container: 'phone browser', path: '/features?category=animeNSFW' });
  await expect(app.getByRole('dialog', { name: 'Age Confirmation' })).toBeVisible();

  await page.keyboard.press('Escape');

  await expect(app.getByRole('dialog')).toHaveCount(0);
  await expect(app.getByRole('tab', { name: 'Group Management' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test('Back from another page leads to the same category and command', async ({ open, page }) => {
  const { app } = await open({ container: 'browser', path: '/features' });
  await app.getByRole('tab', { name: 'Misc Tools' }).click();
  await app.getByRole('button', { name: 'Help', exact: true }).click();
  await app.getByRole('banner').getByRole('link', { name: 'Credits' }).click();
  await expect(app.getByRole('heading', { level: 1, name: 'Models' })).toBeVisible();

  await page.goBack();

  await expect(app.getByRole('tab', { name: 'Misc Tools' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expect(app.getByRole('button', { name: 'Help', exact: true })).toBeInViewport();
});

test('nothing on these pages moves while they load', async ({ open, page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const isOwn = !Reflect.get(entry, 'hadRecentInput');
        const shift = Number(Reflect.get(window, 'shift')) + Number(Reflect.get(entry, 'value'));
        Object.assign(window, isOwn ? { shift } : {});
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });

  for (const path of ['/features', '/credits', '/privacy-policy']) {
    const { app } = await open({ container: 'phone browser', path });
    await expect(app.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle');
    const shift = await page.evaluate(() => Number(Reflect.get(window, 'shift')));
    expect(shift, path).toBeLessThanOrEqual(0.02);
  }
});

test('a command that the server adds moves none of the others', async ({ open, page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/backend/bot/commands', async (route) => {
    await released;
    await route.fulfill({ json: { commands: ['link'] } });
  });
  const { app } = await open({ container: 'phone browser', path: '/features?category=misc' });
  const rows = app.getByRole('tabpanel').getByRole('listitem');
  const { length } = commandsIn('misc').filter((id) => isOffered(id, new Set()));
  await expect(rows).toHaveCount(length);
  await settle(app);
  const findPlaces = () =>
    rows.evaluateAll(
      (found, count) => found.slice(0, count).map((row) => row.getBoundingClientRect().top),
      length,
    );
  const before = await findPlaces();

  release();

  await expect(rows).toHaveCount(length + 1);
  expect(await findPlaces()).toEqual(before);
});

test('the header has room for six screens and the login link, from 768 px on', async ({
  open,
  page,
}) => {
  const { app } = await open({ container: 'browser', path: '/credits' });
  await app.evaluate(() => {
    const list = document.querySelector('header ul');
    const link = list?.querySelector('li');
    for (const name of ['Dashboard', 'Models', 'API'].slice(
      0,
      6 - (list?.querySelectorAll('a').length ?? 0),
    )) {
      const more = link?.cloneNode(true);
      if (more instanceof HTMLElement) {
        more.querySelector('a')?.replaceChildren(name);
        list?.append(more);
      }
    }
  });

  for (const width of [768, 899, 900, 1000, 1099, 1100, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const { overflow, height } = await page.evaluate(() => ({
      overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      height: document.querySelector('header')?.clientHeight,
    }));
    expect({ width, overflow, height }).toEqual({ width, overflow: 0, height: 64 });
  }
});

for (const container of ['phone browser', 'android'] satisfies Container[]) {
  test(
    `all targets on these pages are at least 44 px: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, unique }) => {
      const found: string[] = [];
      for (const path of pages) {
        const { app } = await open({ container, path, telegramId: unique() });
        await expect(app.getByRole('heading', { level: 1 })).toBeVisible();
        const small = await app.getByRole('main').evaluate((main) =>
          [...main.querySelectorAll('a, button, input')].flatMap((element) => {
            const after = getComputedStyle(element, '::after');
            const own = element.getBoundingClientRect();
            // A target that fills a tile or a row by `::after` is as large as that.
            const reach = after.position === 'absolute' ? element.closest('li') : null;
            const { width, height } = reach?.getBoundingClientRect() ?? own;
            return width < 43.5 || height < 43.5
              ? [`${element.textContent} ${width}×${height}`]
              : [];
          }),
        );
        found.push(...small.map((text) => `${path}: ${text}`));
      }
      expect(found).toEqual([]);
    },
  );
}

test('on the narrowest phone no tab inside Telegram is cut', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const { telegramId } = await nori.member(unique());
  const { app } = await open({ container: 'android', path: '/features', telegramId });
  await page.setViewportSize({ width: 320, height: 700 });
  const tabs = app.getByRole('navigation').getByRole('button');
  await expect(tabs.last()).toHaveText('More');

  const words = await tabs.locator('span').evaluateAll((found) =>
    found.map((word) => {
      const { left, right } = word.getBoundingClientRect();
      return { text: word.textContent, left, right, isCut: word.scrollWidth > word.clientWidth };
    }),
  );

  expect(words.length).toBeGreaterThanOrEqual(4);
  expect(words.filter(({ isCut }) => isCut)).toEqual([]);
  for (const [index, { text, left }] of words.entries()) {
    expect(left, text ?? '').toBeGreaterThan(words[index - 1]?.right ?? 0);
  }
  expect(words.at(-1)?.right).toBeLessThan(320);
});
