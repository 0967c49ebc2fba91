/** The model browser in a real browser: the position after Back, the keyboard, and floating bars. */
import {
  type Container,
  expect,
  type Frame,
  type Locator,
  type Page,
  settle,
  test,
  thoroughIf,
} from '#tests/e2e';
import { pasteModelId } from '#tests/hub-screens';

const models = '/models?provider=pixai&view=models';

const list = (app: Frame) => app.getByRole('list', { name: 'Models' });
const card = (app: Frame, name: string) =>
  app.getByRole('listitem', { name: new RegExp(`^${name}, `) });
const focused = (app: Frame) => app.evaluate(() => document.activeElement?.ariaLabel ?? '');

/** The top of a card on the screen, in px; undefined while it is not mounted. */
const readTop = async (app: Frame, name: string) => (await card(app, name).boundingBox())?.y;

async function readBox(button: Locator) {
  return (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

/** Scrolls down until more than one page of models is loaded. */
async function goDeep(page: Page, app: Frame): Promise<void> {
  await expect(list(app).getByRole('listitem').first()).toBeVisible();
  await expect(async () => {
    await app.evaluate(() => window.scrollBy({ top: 1200, behavior: 'instant' }));
    const places = await list(app)
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => Number(item.ariaPosInSet)));
    expect(Math.max(...places)).toBeGreaterThan(60);
  }).toPass({ timeout: 60_000 });
  await restingAt(page);
  // A card that still fades in is a little below its final place.
  await settle(app);
}

async function restingAt(page: Page): Promise<number> {
  let before = Number.NaN;
  await expect
    .poll(
      async () => {
        const now = await page.evaluate(() => window.scrollY);
        const isResting = now === before;
        before = now;
        return isResting;
      },
      { intervals: [250] },
    )
    .toBe(true);
  return before;
}

/** A base model whose button is on the screen, after scrolling if necessary. */
async function shownModel(page: Page, app: Frame): Promise<string> {
  let name: string | undefined;
  await expect(async () => {
    name = await app.evaluate(() => {
      const buttons = [...document.querySelectorAll<HTMLElement>('main li button')];
      const shown = buttons.find((button) => {
        const { top, bottom } = button.getBoundingClientRect();
        const label = button.closest('li')?.ariaLabel ?? '';
        return label.endsWith('_model') && top > 150 && bottom < window.innerHeight - 150;
      });
      if (!shown) {
        window.scrollBy({ top: 150, behavior: 'instant' });
      }
      return shown?.closest('li')?.ariaLabel?.split(',')[0];
    });
    expect(name).toBeDefined();
  }).toPass({ timeout: 60_000 });
  await restingAt(page);
  await settle(app);
  return name ?? '';
}

for (const [container, highest] of [
  ['phone browser', 200],
  ['ios', 140],
  ['android', 140],
  ['weba', 140],
] as const) {
  test(
    `the first pictures are at the top of the screen: ${container}`,
    thoroughIf(container !== 'phone browser' && container !== 'ios'),
    async ({ open, page }) => {
      const { app } = await open({ container, path: models });
      await page.setViewportSize({ width: 390, height: 844 });
      const first = list(app).getByRole('listitem').first();
      await expect(first.locator('img')).toBeVisible();
      await settle(app);

      const tops = await list(app)
        .locator('img')
        .evaluateAll((covers) => covers.map((cover) => cover.getBoundingClientRect().top));
      expect(Math.min(...tops)).toBeLessThanOrEqual(highest);
      // One row above them: search with its order, below the provider and the views.
      const search = await readBox(app.getByRole('searchbox'));
      const order = await readBox(app.getByRole('combobox', { name: 'Sort by' }));
      expect(order.y).toBeGreaterThanOrEqual(search.y);
      expect(order.y + order.height).toBeLessThanOrEqual(search.y + search.height);
      expect(order.x + order.width).toBeLessThanOrEqual(search.x + search.width);
      expect(Math.min(search.height, order.height)).toBeGreaterThanOrEqual(44);
      const menu = await readBox(app.getByRole('combobox', { name: 'Image providers' }));
      const view = await readBox(app.getByRole('tab', { name: 'Models', exact: true }));
      expect(menu.y).toBeLessThan(view.y + view.height);
      expect(view.y).toBeLessThan(menu.y + menu.height);
      expect(Math.min(menu.height, view.height)).toBeGreaterThanOrEqual(44);
    },
  );
}

for (const container of ['phone browser', 'ios', 'browser'] satisfies Container[]) {
  test(
    `the search moves away on the way down and comes back on the way up: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, page }) => {
      const { app } = await open({ container, path: models });
      await expect(list(app).getByRole('listitem').first()).toBeVisible();
      const search = app.getByRole('searchbox');
      const scroll = (top: number) =>
        app.evaluate((by) => window.scrollBy({ top: by, behavior: 'instant' }), top);
      // What is visible at the middle of the search field.
      const isUncovered = () =>
        search.evaluate((field) => {
          const { left, top, width, height } = field.getBoundingClientRect();
          return document.elementFromPoint(left + width / 3, top + height / 2) === field;
        });
      expect(await isUncovered()).toBe(true);

      await scroll(900);
      await expect.poll(isUncovered).toBe(false);
      await scroll(-30);
      await expect.poll(isUncovered).toBe(true);

      // Not while it is used.
      await search.focus();
      await scroll(600);
      await settle(page);
      expect(await isUncovered()).toBe(true);
      await search.blur();
      await scroll(60);
      await expect.poll(isUncovered).toBe(false);

      // A card that gets the focus is below the search that comes back.
      const cards = list(app).getByRole('listitem');
      await cards.first().focus();
      await page.keyboard.press('PageDown');
      await page.keyboard.press('PageUp');
      const place = () =>
        app.evaluate(() => {
          const tools = document.querySelector('search')?.parentElement?.getBoundingClientRect();
          const focusedCard = document.activeElement?.getBoundingClientRect();
          return {
            isCard: document.activeElement?.tagName,
            gap: (focusedCard?.top ?? 0) - (tools?.bottom ?? 0),
          };
        });
      await expect.poll(place).toMatchObject({ isCard: 'LI' });
      await expect.poll(async () => (await place()).gap).toBeGreaterThanOrEqual(0);
    },
  );
}

test('with reduced motion the search moves away without a slide', async ({ open, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { app } = await open({ container: 'phone browser', path: models });
  await expect(list(app).getByRole('listitem').first()).toBeVisible();
  const tools = app.locator('search').locator('..');

  await expect(tools).toHaveCSS('transition-property', 'none');
  await app.evaluate(() => window.scrollBy({ top: 900, behavior: 'instant' }));
  await expect(app.getByRole('searchbox')).not.toBeInViewport();
});

for (const container of ['browser', 'phone browser', 'ios'] satisfies Container[]) {
  test(
    `Back from the generator leads to the same card at the same height, also after a reload: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, page }) => {
      const opened = await open({ container, path: models });
      const { app, isTelegram, reload } = opened;
      await goDeep(page, app);
      const name = await shownModel(page, app);
      const top = await readTop(app, name);
      const shift = async () => Math.abs(((await readTop(app, name)) ?? Number.NaN) - (top ?? 0));

      // Uses the mouse, because `click` may scroll first, and Back returns to the last place.
      const { x, y, width, height } = await readBox(
        card(app, name).getByRole('button', { name: `Use model ${name}` }),
      );
      await page.mouse.click(x + width / 2, y + height / 2);
      await expect(app.getByRole('group', { name: 'Model' }).getByText(name)).toBeVisible();
      await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
      await expect(app.getByRole('heading', { level: 1 })).toBeFocused();

      await (isTelegram ? opened.pressBack() : page.goBack());
      await expect.poll(shift).toBeLessThan(1);

      await restingAt(page);
      await reload();
      await expect.poll(shift).toBeLessThan(1);

      await card(app, name)
        .getByRole('button', { name: `Use model ${name}` })
        .click();
      await expect(app.getByRole('group', { name: 'Model' }).getByText(name)).toBeVisible();
      await reload();
      await expect(app.getByRole('group', { name: 'Model' }).getByText(name)).toBeVisible();
      await (isTelegram ? opened.pressBack() : page.goBack());
      await expect.poll(shift).toBeLessThan(1);
    },
  );
}

test('an address that is opened again begins at the top', async ({ open, page }) => {
  const { app } = await open({ container: 'phone browser', path: models });
  await goDeep(page, app);

  await open({ container: 'phone browser', path: models });

  await expect(list(app).getByRole('listitem').first()).toBeVisible();
  await expect(card(app, 'Dune Woodblock')).toBeInViewport();
});

test('the gallery works with the keyboard alone', async ({ open, page }) => {
  const { app } = await open({ container: 'browser', path: models });
  await expect(list(app).getByRole('listitem').first()).toBeVisible();
  const press = (key: string) => page.keyboard.press(key);

  await press('/');
  await expect(app.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('woodblock');
  await app.waitForURL(/q=woodblock/);
  await expect(card(app, 'Ember Rim Light')).toHaveCount(0);
  await expect(card(app, 'Dune Woodblock')).toBeVisible();

  // Past the search field's clear button and the order, into the gallery.
  await press('Tab');
  await press('Tab');
  await expect(app.getByRole('combobox', { name: 'Sort by' })).toBeFocused();
  await press('Tab');
  const first = await focused(app);
  expect(first).toContain('Woodblock');
  await press('ArrowRight');
  expect(await focused(app)).not.toBe(first);
  await press('ArrowLeft');
  expect(await focused(app)).toBe(first);

  const own = list(app).locator('li:focus-within');
  await press('Enter');
  await expect(own.getByText('Trigger words')).toBeVisible();
  await press('Enter');
  await expect(own.getByText('Trigger words')).toHaveCount(0);

  await press('Tab');
  expect(await focused(app)).toMatch(/^Use model /);
  await press('Tab');
  expect(await focused(app)).toMatch(/^Details of /);
  await press('Tab');
  expect(await focused(app)).toMatch(/^Select /);
  await press('Space');
  await expect(app.getByText('1 LoRA(s) selected')).toBeVisible();

  await app.getByRole('button', { name: 'Generate with Selected LoRAs' }).focus();
  await press('Enter');
  await expect(app.getByRole('button', { name: /^Options/ })).toBeVisible();
  await expect(app.getByText('1:1 · random seed · 1 LoRA')).toBeVisible();
  await expect(app.getByRole('heading', { level: 1 })).toBeFocused();
});

for (const container of ['browser', 'phone browser', 'weba', 'ios'] satisfies Container[]) {
  test(
    `the bar of ticked LoRAs and the badge are fully visible: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, page, expected }) => {
      expected.push(/model-info/, /status of 404/);
      // Never answered, so that the generation stays pending.
      await page.route('**/pixai/api/v1/generate**', () => undefined);
      const { app, submit } = await open({ container, path: '/models' });
      await pasteModelId(app, '18754367764874101');
      await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('A quiet harbour');
      await submit('Generate');
      await expect(app.getByText('1 generation in progress')).toBeVisible();

      await app.getByRole('tab', { name: 'Models', exact: true }).click();
      await app.getByRole('checkbox', { name: 'Select Dune Woodblock' }).check();
      const bar = app.getByRole('region', { name: 'Selected LoRAs' });
      await expect(bar).toHaveText(/1 LoRA\(s\) selected/);

      const boxes = () =>
        app.evaluate(() => {
          const box = (element: Element | null | undefined) => {
            const { top, bottom, left, right } = element?.getBoundingClientRect() ?? {};
            return { top: top ?? 0, bottom: bottom ?? 0, left: left ?? 0, right: right ?? 0 };
          };
          const badge = [...document.querySelectorAll('output')].find((output) =>
            output.textContent.includes('in progress'),
          );
          // The tab bar at the lower edge inside Telegram.
          const tab = document.querySelector('nav button[aria-current="page"]');
          return {
            bar: box(document.querySelector('section[aria-label="Selected LoRAs"]')),
            badge: box(badge),
            floor: tab === null ? window.innerHeight : box(tab).top,
            width: window.innerWidth,
          };
        });
      await expect
        .poll(async () => {
          const { bar: place, badge, floor, width } = await boxes();
          return {
            isBarWhole: place.bottom <= floor && place.left >= 0 && place.right <= width,
            isBadgeAbove: badge.bottom <= place.top,
          };
        })
        .toEqual({ isBarWhole: true, isBadgeAbove: true });

      // A notice is above the bar and does not cover it.
      await app.getByRole('button', { name: 'Use model Dune Woodblock' }).click();
      const notice = app.getByText('Dune Woodblock is in your generator now.');
      await expect(notice).toBeVisible();
      const heights = await notice.evaluate((said) => ({
        notice: said.getBoundingClientRect().bottom,
        bar: document.querySelector('section[aria-label="Selected LoRAs"]')?.getBoundingClientRect()
          .top,
      }));
      expect(heights.notice).toBeLessThan(heights.bar ?? 0);

      await bar.getByRole('button', { name: 'Clear Selection' }).click();
      await expect(bar).toHaveCount(0);
      await expect
        .poll(async () => {
          const { badge, floor } = await boxes();
          return { isAboveTabs: badge.bottom <= floor, isLow: badge.bottom > floor - 60 };
        })
        .toEqual({ isAboveTabs: true, isLow: true });
    },
  );
}

test('a slow device hides covers for adults without a blur', async ({ open }) => {
  const { app } = await open({ container: 'phone browser', path: `${models}&q=cedar+rim+light` });
  await expect(app.getByRole('button', { name: 'Show pictures for adults' }).first()).toBeVisible();
  const cover = app.locator('main li img').first();
  await expect(cover).toHaveCSS('filter', 'blur(24px)');

  // As inside Telegram on a slow device.
  await app.evaluate(() => {
    document.documentElement.dataset['power'] = 'low';
  });

  await expect(cover).toHaveCSS('filter', 'none');
  await expect(cover).toBeHidden();
  await expect(app.getByRole('button', { name: 'Show pictures for adults' }).first()).toBeVisible();
});
