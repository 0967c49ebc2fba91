/** Where a chat's settings stand on the screen: what is pressed often is in reach without scrolling. */
import { type Locator } from '@playwright/test';

import {
  choose,
  type Container,
  expect,
  type Frame,
  type OpenedApp,
  settle,
  stayLoggedIn,
  test as base,
  thoroughIf,
  toggle,
} from '#tests/e2e';

type OpenChat = (
  container: Container,
  /** How many topics it has. Their numbers are 0, 3, 6 and so on. */
  topics: number,
  /** The number in the address. */
  topicId?: number,
) => Promise<OpenedApp>;

/** Opens the settings of a new chat as its owner. */
const test = base.extend<{ readonly openChat: OpenChat }>({
  openChat: async ({ open, page, nori, unique }, use) => {
    await use(async (container, topics, topicId) => {
      const member = await nori.member(unique());
      const chatId = -1_000_000_000_000 - unique();
      await nori.chat(member, chatId, 'The rice lovers of the wide and windy northern coast');
      await nori.block(member, chatId, 'sticker');
      for (let topic = 1; topic < topics; topic += 1) {
        await nori.call(`/chats/${chatId}/topics?topic_id=${topic * 3}`, undefined, member);
      }
      await stayLoggedIn(page, member);
      const place = topicId === undefined ? '' : `&topic=${topicId}`;
      const path = `/dashboard?chat=${chatId}${place}`;
      return open({ container, path, telegramId: member.telegramId });
    });
  },
});

/** Where an element stands in the window of the app. */
const place = (element: Locator) =>
  element.evaluate((it) => {
    const { top, bottom } = it.getBoundingClientRect();
    return { top, bottom };
  });

/** How far the words of an element begin from its start, in px. */
const indent = (element: Locator) =>
  element.evaluate((it) => {
    const words = document.createRange();
    words.selectNodeContents(it);
    return words.getBoundingClientRect().left - it.getBoundingClientRect().left;
  });

const heights = (app: Frame) =>
  app.evaluate(() => ({
    page: document.documentElement.scrollHeight,
    window: document.documentElement.clientHeight,
  }));

const topicList = (app: Frame) => app.getByRole('navigation', { name: 'Topics' });
const heading = (app: Frame, topic: string) =>
  app.getByRole('heading', { level: 3, name: new RegExp(`^${topic}`) });

for (const [container, highest] of [
  ['phone browser', 300],
  ['weba', 260],
  ['ios', 260],
  ['android', 260],
] as const satisfies readonly (readonly [Container, number])[]) {
  for (const topics of [1, 12]) {
    test(
      `the first of ${topics} topics begins with a toggle at most ${highest} px from the top: ${container}`,
      thoroughIf(topics === 1 || container === 'weba'),
      async ({ openChat }) => {
        const { app } = await openChat(container, topics);
        // Later than the toggles: the bot's state, and the buttons of each group.
        await expect(app.getByRole('button', { name: 'Block all: Media, General' })).toBeVisible();
        await expect(app.getByRole('button', { name: 'Bot is off' })).toBeVisible();
        await settle(app);

        expect((await place(toggle(app, 'photo'))).top).toBeLessThanOrEqual(highest);
      },
    );
  }
}

test('a name from right to left begins where the ID below it begins', async ({
  open,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  await nori.chat(member, -1_000_000_000_000 - unique(), 'محبو الأرز');
  const { app } = await open({
    container: 'android',
    path: '/dashboard',
    telegramId: member.telegramId,
  });
  const name = app.getByText('محبو الأرز', { exact: true });

  await expect(name).toBeVisible();
  expect(await indent(name)).toBeCloseTo(0, 0);

  await name.click();

  const title = app.getByRole('heading', { level: 2, name: 'محبو الأرز' });
  await expect(title).toBeVisible();
  expect(await indent(title)).toBeCloseTo(0, 0);
});

for (const topics of [1, 12]) {
  test(`on a laptop, 27 settings of one of ${topics} topics are in view without scrolling`, async ({
    openChat,
  }) => {
    const { app } = await openChat('browser', topics);
    await expect(app.getByRole('button', { name: 'Block all: Media, General' })).toBeVisible();

    const { page: pageHeight, window } = await heights(app);
    expect(pageHeight).toBeLessThanOrEqual(window);
    const toggles = await app.getByRole('switch').all();
    expect(toggles).toHaveLength(27);
    for (const one of toggles) {
      await expect(one).toBeInViewport({ ratio: 1 });
    }

    await app.getByRole('button', { name: 'More, General' }).click();
    await toggle(app, 'other service').click();
    await expect(toggle(app, 'other service')).toBeChecked();
    expect((await heights(app)).page).toBeLessThanOrEqual(window);
  });
}

test('the buttons of a dialog that is higher than the window are in view', async ({
  openChat,
  page,
}) => {
  const { app } = await openChat('browser', 1);
  await page.setViewportSize({ width: 1280, height: 480 });
  await choose(app, 'Presets');
  const dialog = app.getByRole('dialog', { name: 'Presets for General' });
  await dialog.getByRole('radio', { name: /^Quiet night/ }).check();
  await expect(dialog.getByText('What will change')).toBeAttached();

  const hidden = await dialog.evaluate((it) => it.scrollHeight - it.clientHeight);
  expect(hidden).toBeGreaterThan(0);
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeInViewport({ ratio: 1 });
});

test('on a laptop, a topic is chosen beside its settings, and Back leads to the one before', async ({
  openChat,
  page,
}) => {
  const { app } = await openChat('browser', 40, 108);
  const list = topicList(app);

  // The topic of the address is chosen, focused, and in view in the list.
  await expect(heading(app, 'Topic 108')).toBeFocused();
  await expect(list.getByRole('link', { name: 'Topic 108' })).toBeInViewport();
  await expect(list.getByRole('link', { name: 'Topic 108' })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await list.getByRole('link', { name: 'Topic 111' }).click();
  await expect(heading(app, 'Topic 111')).toBeVisible();
  expect(page.url()).toContain('&topic=111');
  await expect(app.getByRole('switch')).toHaveCount(27);
  await toggle(app, 'photo', 'Topic 111').click();
  await expect(list.getByRole('link', { name: 'Topic 111 1 Blocked' })).toBeVisible();

  await page.goBack();
  await expect(heading(app, 'Topic 108')).toBeVisible();
  await app.getByRole('searchbox').fill('Topic 27');
  await expect(list.getByRole('link')).toHaveCount(1);
  await expect(toggle(app, 'photo', 'Topic 27')).toBeVisible();
  await app.getByRole('searchbox').fill('nothing like it');
  await expect(app.getByText('No settings found matching your search')).toBeVisible();

  await page.goto(page.url().replace('topic=108', 'topic=7'));
  await expect(app.getByText('Topic 7 has no settings yet.')).toBeVisible();
  await expect(app.getByRole('switch')).toHaveCount(0);
  await app.getByRole('button', { name: 'Add Topic 7' }).click();
  await app.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await expect(toggle(app, 'photo', 'Topic 7')).toBeVisible();
});

test('on a laptop, the keys go from the search through the topics to the settings', async ({
  openChat,
  page,
}) => {
  const { app } = await openChat('browser', 2);
  await expect(app.getByRole('button', { name: 'Block all: Media, General' })).toBeVisible();

  await app.getByRole('searchbox').focus();
  const names: (string | null)[] = [];
  for (let step = 0; step < 9; step += 1) {
    await page.keyboard.press('Tab');
    names.push(
      await app.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.ariaLabel ?? activeElement?.textContent ?? null;
      }),
    );
  }

  expect(names).toEqual([
    'General1 Blocked',
    'Topic 3',
    'Add topic',
    'Menu, General',
    'Block all: Media, General',
    'Allow all: Media, General',
    'photo, General',
    'All topics: photo, General',
    'video, General',
  ]);
});

for (const container of ['phone browser', 'ios'] satisfies Container[]) {
  test(
    `while a topic scrolls, the chat and the topic stand above it: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ openChat }) => {
      const { app } = await openChat(container, 12, 9);
      const folding = app.getByRole('button', { name: /^Topic 9/ });
      await expect(folding).toBeFocused();
      await toggle(app, 'spoiler', 'Topic 9').click();

      const menu = await place(app.getByRole('button', { name: 'Menu', exact: true }));
      const title = await place(folding);
      expect(menu.top).toBeLessThan(80);
      expect(title.top).toBeGreaterThanOrEqual(menu.bottom - 4);
      expect(title.bottom).toBeLessThan(180);
      await expect(folding).toContainText('1 blocked');
      // The menu is about the topic in view.
      await choose(app, 'Presets, Topic 9');
      await expect(app.getByRole('dialog', { name: 'Presets for Topic 9' })).toBeVisible();
    },
  );

  test(
    `undo stands above the tab bar and below the last toggle: ${container}`,
    thoroughIf(container !== 'ios'),
    async ({ openChat }) => {
      const { app } = await openChat(container, 1);
      await app.getByRole('button', { name: 'Block all: Origin, General' }).click();
      const undo = app.getByRole('button', { name: 'Undo' });
      await expect(undo).toBeVisible();
      await app.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));

      const { top, bottom } = await place(undo.locator('xpath=ancestor::*[@role="status"]'));
      await expect.poll(async () => (await place(toggle(app, 'via bot'))).bottom).toBeLessThan(top);
      if (container === 'ios') {
        const tabs = await place(app.getByRole('navigation').getByRole('button', { name: 'Home' }));
        expect(bottom).toBeLessThanOrEqual(tabs.top);
      } else {
        expect(bottom).toBeLessThanOrEqual(844);
      }
    },
  );
}
