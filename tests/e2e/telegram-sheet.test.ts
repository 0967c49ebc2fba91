/** Telegram opens an app as a sheet of half the screen, and a keyboard takes a part of it: everything can be reached. */
import {
  expect,
  type Locator,
  type Nori,
  type OpenedApp,
  settle,
  test,
  thoroughIf,
} from '#tests/e2e';

const phones = ['ios', 'android'] as const;
/** The visible height in px, of 740 or more. */
const half = 420;

const openByHalf = ({ emit }: OpenedApp, height = half) =>
  emit('viewport_changed', { height, is_expanded: false, is_state_stable: true });

/** The lower edge of an element on the screen, in px. */
async function lowerEdge(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  return (box?.y ?? Number.NaN) + (box?.height ?? Number.NaN);
}

async function ownerOfChat(nori: Nori, unique: () => number) {
  const member = await nori.member(unique());
  await nori.chat(member, -unique(), 'Rice lovers');
  return member;
}

for (const container of phones) {
  test(
    `in a half-open sheet on ${container} all of the list, the tabs and a dialog’s buttons can be reached`,
    thoroughIf(container !== 'ios'),
    async ({ open, page, nori, unique }) => {
      const { telegramId } = await ownerOfChat(nori, unique);
      const opened = await open({ container, path: '/dashboard', telegramId });
      const { app } = opened;
      const more = app.getByRole('navigation').getByRole('button', { name: 'More' });
      await expect(app.getByRole('link', { name: /Rice lovers/ })).toBeAttached();
      await expect(app.getByRole('heading', { name: 'Connected accounts' })).toBeAttached();
      await openByHalf(opened);

      await expect.poll(() => lowerEdge(more)).toBeLessThanOrEqual(half);
      const tabs = (await more.boundingBox())?.y ?? 0;
      // Whatever is last on the page can be scrolled above the tabs.
      await page.mouse.move(100, 200);
      await page.mouse.wheel(0, 10_000);
      const last = app.getByRole('main').getByRole('button').last();
      await expect.poll(() => lowerEdge(last)).toBeLessThanOrEqual(tabs);

      await more.click();
      const dialog = app.getByRole('dialog', { name: 'More' });
      const close = dialog.getByRole('button', { name: 'Close' });
      // It scrolls once it has come to rest.
      await expect.poll(() => lowerEdge(dialog)).toBe(page.viewportSize()?.height);
      await page.mouse.move(100, 300);
      await page.mouse.wheel(0, 10_000);
      await expect.poll(() => lowerEdge(close)).toBeLessThanOrEqual(half);
      const logout = dialog.getByRole('button', { name: 'Logout' });
      await expect.poll(() => lowerEdge(logout)).toBeLessThanOrEqual(half);
      await logout.click();
      const answer = app
        .getByRole('dialog', { name: 'Confirm Logout' })
        .getByRole('button', { name: 'Logout' });
      await expect.poll(() => lowerEdge(answer)).toBeLessThanOrEqual(half);
    },
  );

  test(
    `with the keyboard of ${container} the field is in view, and the tabs are not`,
    thoroughIf(container !== 'android'),
    async ({ open, nori, unique }) => {
      const { telegramId } = await nori.member(unique());
      const opened = await open({ container, path: '/account', telegramId });
      const { app } = opened;
      const tabs = app.getByRole('navigation').locator('button').first();
      await expect(app.getByText('This device')).toBeVisible();
      await expect(tabs).toBeVisible();
      const field = app.getByLabel('Confirm New Password', { exact: true });

      await field.focus();
      await openByHalf(opened, 360);

      await expect.poll(() => lowerEdge(field)).toBeLessThanOrEqual(360);
      await expect(tabs).toBeHidden();
      await field.blur();
      await expect(tabs).toBeVisible();
    },
  );

  test(
    `a dialog on ${container} is a sheet that a finger drags down to close it`,
    thoroughIf(container !== 'ios'),
    async ({ open, page, nori, unique }) => {
      const { telegramId } = await nori.member(unique());
      const { app, sent } = await open({ container, path: '/credits', telegramId });
      await app.getByRole('navigation').getByRole('button', { name: 'More' }).click();
      const dialog = app.getByRole('dialog', { name: 'More' });
      await expect(dialog.getByRole('link', { name: 'Account' })).toBeVisible();
      const height = page.viewportSize()?.height ?? 0;
      // It has come to rest at the lower edge, as wide as the screen.
      await expect.poll(() => lowerEdge(dialog)).toBe(height);
      const box = await dialog.boundingBox();
      expect(box).toMatchObject({ x: 0, width: page.viewportSize()?.width });
      // Meanwhile Telegram does not take the finger's movement for its own.
      await expect
        .poll(async () => (await sent('web_app_setup_swipe_behavior')).at(-1)?.data)
        .toEqual({ allow_vertical_swipe: false });

      const drag = async (distance: number) => {
        const top = box?.y ?? 0;
        await page.mouse.move(150, top + 10);
        await page.mouse.down();
        await page.mouse.move(150, top + 10 + distance, { steps: 4 });
        await page.mouse.up();
      };
      await drag(40);
      await expect.poll(() => lowerEdge(dialog)).toBe(height);
      await drag(160);

      await expect(app.getByRole('dialog')).toHaveCount(0);
      await expect(app.getByRole('navigation').getByRole('button', { name: 'More' })).toBeFocused();
    },
  );
}

test('at 320 px neither the list, the account, a sheet nor a question is too wide', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const { telegramId } = await ownerOfChat(nori, unique);
  for (const container of phones) {
    const { app } = await open({ container, path: '/dashboard', telegramId });
    await page.setViewportSize({ width: 320, height: 640 });
    const overflow = () =>
      app.evaluate(() =>
        Math.max(
          ...[document.documentElement, ...document.querySelectorAll('dialog')].map(
            ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
          ),
        ),
      );
    await expect(app.getByRole('link', { name: /Rice lovers/ })).toBeVisible();
    await expect.poll(overflow, container).toBe(0);
    await app.getByRole('navigation').getByRole('button', { name: 'More' }).click();
    await expect.poll(overflow, `${container}: More`).toBe(0);
    await settle(app);
    await app.getByRole('dialog', { name: 'More' }).getByRole('button', { name: 'Logout' }).click();
    await expect(app.getByRole('dialog', { name: 'Confirm Logout' })).toBeVisible();
    await expect.poll(overflow, `${container}: question`).toBe(0);
    await app.getByRole('button', { name: 'Cancel' }).click();
    await app.getByRole('navigation').getByRole('button', { name: 'More' }).click();
    await app.getByRole('link', { name: 'Account' }).click();
    await expect(app.getByText('This device')).toBeVisible();
    await expect.poll(overflow, `${container}: account`).toBe(0);
  }
});
