/** The join gate from the request to the group, in Telegram's clients. */
import { type Page } from '@playwright/test';

import { expect, openApp, test as base, thoroughIf } from '#tests/e2e';
import { type Nori, startNori } from '#tests/e2e-server';
import { solve } from '#tests/join-tasks';

/** A server whose bot hears requests to join, and an address that Telegram would open. */
const test = base.extend<object, { readonly gated: Nori }>({
  gated: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs.
    async ({}, use) => {
      const nori = await startNori({
        BOT_MODE: 'polling',
        PUBLIC_URL: 'https://nori.example.org',
      });
      await use(nori);
      await nori.close();
    },
    { scope: 'worker' },
  ],
});

// In each container one of them waits for a minute.
test.describe.configure({ mode: 'parallel' });

const containers = ['ios', 'android', 'weba'] as const;

async function startGroup(nori: Nori, unique: () => number, values: object = {}) {
  const member = await nori.member(unique());
  const chatId = -1_001_000_000_000 - unique();
  await nori.chat(member, chatId, 'Otters');
  await nori.call(
    `/chats/${chatId}/values`,
    {
      chat_id: String(chatId),
      kind: 'values',
      values: { chat: { captcha_mode: 'gate', ...values } },
    },
    { token: member.token, method: 'PUT' },
  );
  nori.botApi.addChat({ id: chatId, title: 'Otters', creator: member.telegramId, isGuarded: true });
  return chatId;
}

type Opening = {
  readonly container: (typeof containers)[number];
  readonly chatId: number;
  /** Who asks to join. */
  readonly person: number;
  /** Who opens the page, if another. */
  readonly as?: number;
};

/** Asks to join, and opens the page that the bot has shown for it. */
async function askAndOpen(page: Page, nori: Nori, { container, chatId, person, as }: Opening) {
  const { requests } = nori.botApi;
  const joinQuery = requests.add(chatId, person);
  await expect.poll(() => requests.page(chatId, person)).toMatch(/\/gate\?chat=/);
  const { pathname, search } = new URL(requests.page(chatId, person) ?? '');
  return openApp(page, nori, {
    container,
    path: pathname + search,
    telegramId: as ?? person,
    joinQuery,
  });
}

type Opened = Awaited<ReturnType<typeof askAndOpen>>;

/** Chooses the words that belong together, or three others, when a person would have read them. */
async function answer({ app, submit, page }: Opened, isRight: boolean): Promise<void> {
  const group = app.getByRole('group', { name: /^Choose the three / });
  await expect(group).toBeVisible();
  const question = await app.locator('legend').innerText();
  const boxes = group.getByRole('checkbox');
  const names = await group.locator('label').allInnerTexts();
  const words = names.map((text) => ({ word: text.split('\n').at(-1)?.trim() ?? '', picture: '' }));
  expect(words).toHaveLength(9);
  const right = solve({ question, words });
  const chosen = isRight
    ? right
    : [...words.keys()].filter((at) => !right.includes(at)).slice(0, 3);
  // Telegram's own clock is the server's: an answer before anyone could have read the words is not looked at.
  const shown = Date.now();
  for (const at of chosen) {
    await boxes.nth(at).check();
  }
  await expect.poll(() => Date.now() - shown).toBeGreaterThan(2100);
  await page.bringToFront();
  await submit('Join the group');
}

for (const container of containers) {
  test.describe(container, thoroughIf(container !== 'ios'), () => {
    test('who asks to join does the task and is in', async ({ page, gated, unique }) => {
      const [chatId, person] = [await startGroup(gated, unique), unique()];
      const opened = await askAndOpen(page, gated, { container, chatId, person });
      await expect(opened.app.getByRole('heading', { name: 'Join “Otters”' })).toBeVisible();
      await answer(opened, true);

      await expect(opened.app.getByRole('heading', { name: 'You are in' })).toBeFocused();
      expect(gated.botApi.requests.read(chatId, person)).toBe('approved');
      await opened.submit('Close');
      await expect.poll(async () => (await opened.sent('web_app_close')).length).toBe(1);
    });

    test('three wrong answers end it, also for the page that is opened again', async ({
      page,
      gated,
      unique,
    }) => {
      const [chatId, person] = [await startGroup(gated, unique), unique()];
      const opened = await askAndOpen(page, gated, { container, chatId, person });
      const { app } = opened;
      await answer(opened, false);
      await expect(app.getByText(/you have 2 more tries\.$/)).toBeVisible();
      await answer(opened, false);
      await expect(app.getByText(/you have 1 more try\.$/)).toBeVisible();
      await answer(opened, false);

      await expect(app.getByRole('heading', { name: 'That was not right' })).toBeVisible();
      await expect(app.getByText('You can ask to join again in 10 minutes.')).toBeVisible();
      expect(gated.botApi.requests.read(chatId, person)).toBe('declined');
    });

    test('the page that was closed and is opened again shows the same task', async ({
      page,
      gated,
      unique,
    }) => {
      const [chatId, person] = [await startGroup(gated, unique), unique()];
      const { app, reload } = await askAndOpen(page, gated, { container, chatId, person });
      const labels = app.locator('label');
      await expect(labels.first()).not.toHaveText('…');
      const before = await labels.allInnerTexts();
      await reload();

      await expect(labels.first()).not.toHaveText('…');
      expect(await labels.allInnerTexts()).toEqual(before);
    });

    test('launch data of another person opens nothing', async ({
      page,
      gated,
      unique,
      expected,
    }) => {
      expected.push(/404/);
      const chatId = await startGroup(gated, unique);
      const { app } = await askAndOpen(page, gated, {
        container,
        chatId,
        person: unique(),
        as: unique(),
      });

      await expect(
        app.getByRole('heading', { name: 'This page is no longer valid' }),
      ).toBeVisible();
      await expect(app.getByText(/no open request of yours/)).toBeVisible();
    });

    test('launch data that is forged opens nothing', async ({
      page,
      gated,
      nori,
      unique,
      expected,
    }) => {
      expected.push(/401/);
      const [chatId, person] = [await startGroup(gated, unique), unique()];
      // Signed for the bot of another server.
      const forged = {
        ...gated,
        launchHash: (...given: Parameters<Nori['launchHash']>) =>
          nori.launchHash(...given).replace(/hash%3D[\da-f]{4}/, 'hash%3D0000'),
      };
      const { app } = await askAndOpen(page, forged, { container, chatId, person });

      await expect(
        app.getByRole('heading', { name: 'This page is no longer valid' }),
      ).toBeVisible();
      await expect(app.getByText(/could not confirm who you are/)).toBeVisible();
    });

    test('launch data of yesterday opens nothing', async ({ page, gated, unique, expected }) => {
      expected.push(/403/);
      const [chatId, person] = [await startGroup(gated, unique), unique()];
      const old = {
        ...gated,
        launchHash: (given: Parameters<Nori['launchHash']>[0]) =>
          gated.launchHash({ ...given, signedAt: Date.now() - 24 * 3_600_000 }),
      };
      const { app } = await askAndOpen(page, old, { container, chatId, person });

      await expect(
        app.getByRole('heading', { name: 'This page is no longer valid' }),
      ).toBeVisible();
      await expect(app.getByText(/Too much time has passed/)).toBeVisible();
    });

    test(
      'who is too slow reads that the time is over, and is turned away',
      thoroughIf(true),
      async ({ page, gated, unique }) => {
        // A minute is the least that a group can give.
        test.setTimeout(150_000);
        const [chatId, person] = [
          await startGroup(gated, unique, { captcha_seconds: 60 }),
          unique(),
        ];
        const { app } = await askAndOpen(page, gated, { container, chatId, person });
        await expect(app.getByRole('checkbox').first()).toBeVisible();

        await expect(app.getByRole('heading', { name: 'The time is over' })).toBeVisible({
          timeout: 90_000,
        });
        await expect
          .poll(() => gated.botApi.requests.read(chatId, person), { timeout: 20_000 })
          .toBe('declined');
      },
    );
  });
}

test('without a connection the answer stays and can be sent again', async ({
  page,
  gated,
  unique,
  expected,
}) => {
  expected.push(/ERR_FAILED|Failed to load/);
  const [chatId, person] = [await startGroup(gated, unique), unique()];
  const opened = await askAndOpen(page, gated, { container: 'ios', chatId, person });
  await page.route('**/backend/gate/answer', (route) => route.abort());
  await answer(opened, true);
  await expect(opened.app.getByText(/^No connection\./)).toBeVisible();
  await page.unroute('**/backend/gate/answer');
  await opened.submit('Join the group');

  await expect(opened.app.getByRole('heading', { name: 'You are in' })).toBeVisible();
});

test('long rules are read first: the button leads to the task', async ({ page, gated, unique }) => {
  const [chatId, person] = [await startGroup(gated, unique), unique()];
  await page.route('**/backend/gate', async (route) => {
    const response = await route.fetch();
    const text = Array.from({ length: 60 }, (_, at) => `${at + 1}. Be kind.`).join('\n');
    await route.fulfill({
      response,
      json: { ...(await response.json()), rules: { text, entities: [] } },
    });
  });
  const { app, submit } = await askAndOpen(page, gated, { container: 'ios', chatId, person });
  await expect(app.getByText('60. Be kind.')).toBeAttached();
  await submit('To the task');

  await expect(app.getByRole('checkbox').first()).toBeInViewport();
});
