/** Where the tabs of a chat's settings stand, and that none of them is in the way of another part. */
import { type Locator } from '@playwright/test';

import {
  type Container,
  expect,
  type OpenedApp,
  settle,
  stayLoggedIn,
  test as base,
} from '#tests/e2e';

type OpenSection = (container: Container, section: string) => Promise<OpenedApp>;

/** Opens a tab of the settings of a new chat as its owner. */
const test = base.extend<{ readonly openSection: OpenSection }>({
  openSection: async ({ open, page, nori, unique }, use) => {
    await use(async (container, section) => {
      const member = await nori.member(unique());
      const chatId = -1_000_000_000_000 - unique();
      await nori.chat(member, chatId, 'The rice lovers of the wide and windy northern coast');
      await stayLoggedIn(page, member);
      const path = `/dashboard?chat=${chatId}&section=${section}`;
      return open({ container, path, telegramId: member.telegramId });
    });
  },
});

/** Where an element stands in the window of the app. */
const place = (element: Locator) =>
  element.evaluate((it) => {
    const { left, right, top, bottom, width } = it.getBoundingClientRect();
    return { left, right, top, bottom, width };
  });

for (const container of ['phone browser', 'ios', 'android'] satisfies Container[]) {
  test(`the search shares the row of the tabs, and covers them only while it is used: ${container}`, async ({
    openSection,
  }) => {
    const { app } = await openSection(container, 'locks');
    const tabs = app.getByRole('tablist');
    const search = app.getByRole('searchbox');
    await expect(tabs).toBeVisible();
    await settle(app);
    const row = await place(tabs);
    expect((await place(search)).width).toBeCloseTo(44, 0);
    expect((await place(search)).left).toBeGreaterThanOrEqual(row.right);
    expect(Math.abs((await place(search)).top - row.top)).toBeLessThan(6);

    await search.click();
    await expect.poll(async () => (await place(search)).width).toBeGreaterThan(300);
    await search.fill('photo');
    await app.getByRole('switch', { name: 'photo, General' }).focus();
    await expect
      .poll(async () => (await place(search)).left)
      .toBeGreaterThanOrEqual((await place(tabs)).right);
    await expect(search).toHaveValue('photo');
    await app.getByRole('tab', { name: 'Moderation' }).click();

    await expect(app.getByRole('heading', { name: 'Warnings', exact: true })).toBeVisible();
    await expect.poll(async () => (await place(tabs)).width).toBeGreaterThan(row.width);
  });
}

test('on a laptop all tabs are in a row of their own, below the name and the state', async ({
  openSection,
  page,
}) => {
  const { app } = await openSection('browser', 'locks');
  const tabs = app.getByRole('tablist');
  await expect(app.getByRole('button', { name: 'Bot is off' })).toBeVisible();

  for (const width of [1100, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await settle(app);
    const row = await place(tabs);
    const name = await place(app.getByRole('heading', { level: 2 }));
    const state = await place(app.getByRole('button', { name: 'Bot is off' }));
    expect(row.top, `at ${width} px`).toBeGreaterThanOrEqual(Math.max(name.bottom, state.bottom));
    expect(await tabs.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0);
    // The list of topics and the settings scroll by themselves.
    expect(
      await app.evaluate(() => document.documentElement.scrollHeight - window.innerHeight),
      `at ${width} px`,
    ).toBeLessThanOrEqual(0);
  }
});

for (const container of ['phone browser', 'ios', 'android'] satisfies Container[]) {
  test(`on a phone the tabs scroll, with the chosen one in view, and the page does not: ${container}`, async ({
    openSection,
  }) => {
    const { app } = await openSection(container, 'log');
    const tabs = app.getByRole('tablist');
    await expect(app.getByRole('region', { name: 'Log channel' })).toBeVisible();
    const names = await tabs.getByRole('tab').allTextContents();
    await tabs.getByRole('tab', { selected: true }).focus();

    for (const name of names) {
      // From the last tab the arrow leads to the first.
      await app.page().keyboard.press('ArrowRight');
      await expect(tabs.getByRole('tab', { name, exact: true })).toBeFocused();
      await settle(app);
      const row = await place(tabs);
      const tab = await place(tabs.getByRole('tab', { name, exact: true }));
      expect(tab.left, name).toBeGreaterThanOrEqual(row.left);
      expect(tab.right, name).toBeLessThanOrEqual(row.right);
      expect(tab.bottom - tab.top, name).toBeGreaterThanOrEqual(44);
      expect(
        await app.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
        name,
      ).toBeLessThanOrEqual(0);
    }
  });
}

test('parts of a tab stand side by side where there is room, else below each other', async ({
  openSection,
  page,
}) => {
  const { app } = await openSection('browser', 'log');
  const channel = app.getByRole('region', { name: 'Log channel' });
  const reports = app.getByRole('region', { name: 'Reports', exact: true });
  await expect(reports).toBeVisible();
  expect((await place(reports)).left).toBeGreaterThan((await place(channel)).right);

  await page.setViewportSize({ width: 390, height: 844 });

  await expect
    .poll(async () => (await place(reports)).top)
    .toBeGreaterThan((await place(channel)).bottom);
});
