/** Pictures from Nori to Telegram's chats, in the apps and web clients: sent by the bot, shared, posted, and what Telegram refuses. */
import { expect, type Frame, type Nori, type OpenedApp, type Page, test as base } from '#tests/e2e';
import { startNori } from '#tests/e2e-server';

const publicUrl = 'https://nori.example.org';

/** A server whose bot writes to its users, with an address that leads to it. */
const test = base.extend<{ readonly publicAddress: string }, { readonly nori: Nori }>({
  publicAddress: [
    async ({ context, nori }, use) => {
      await context.route(`${publicUrl}/**`, async (route) => {
        const { pathname, search } = new URL(route.request().url());
        const response = await route.fetch({ url: `${nori.origin}${pathname}${search}` });
        await route.fulfill({ response });
      });
      await use(publicUrl);
      await context.unrouteAll({ behavior: 'ignoreErrors' });
    },
    { auto: true },
  ],

  nori: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the first parameter.
    async ({}, use) => {
      const nori = await startNori({ BOT_MODE: 'polling', PUBLIC_URL: publicUrl });
      await use(nori);
      await nori.close();
    },
    { scope: 'worker' },
  ],
});

const path = '/models?provider=pixai&view=generator';
const words = 'A lantern boat on a quiet river';
const apps = ['ios', 'android'] as const;
const clients = [...apps, 'weba', 'webk'] as const;
type Client = (typeof clients)[number];

type Answer = readonly [name: string, data?: unknown] | undefined;

/** How the client answers a method from now on. */
const answerBy = (page: Page, method: string, answer: Answer) =>
  page.evaluate(
    ([name, reply]) => {
      if (window.telegramClient) {
        window.telegramClient.answers[name] = () => reply;
      }
    },
    [method, answer] as const,
  );

const failShare = (page: Page, error: string) =>
  answerBy(page, 'web_app_send_prepared_message', ['prepared_message_failed', { error }]);

const result = (app: Frame) => app.getByRole('region', { name: 'Result' });

async function choose(app: Frame, item: string): Promise<void> {
  await result(app).getByRole('button', { name: 'Share', exact: true }).click();
  await app.getByRole('menuitem', { name: item, exact: true }).click();
}

/** What the bot has sent to a user, as they see it. */
const shown = ({ botApi }: Nori, telegramId: number) =>
  botApi.messages
    .filter(({ to }) => to === telegramId)
    .flatMap((message) => botApi.show(message)?.media?.kind ?? []);

const prepared = ({ botApi }: Nori, telegramId: number) =>
  botApi.prepared.filter(({ to }) => to === telegramId);

type Fixtures = {
  readonly open: (options: {
    container: Client;
    path: string;
    telegramId: number;
  }) => Promise<OpenedApp>;
  readonly nori: Nori;
  readonly unique: () => number;
};

/** A member has made a picture in this client. */
async function startWithPicture({ open, nori, unique }: Fixtures, container: Client) {
  const { telegramId, token } = await nori.member(unique());
  const made = await fetch(`${nori.origin}/backend/pixai/api/v1/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ prompt: words, model_id: '1983308862240288769', ratio: '1:1' }),
  });
  expect(made.status).toBe(200);
  const opened = await open({ container, path, telegramId });
  await expect(result(opened.app).getByRole('img', { name: words })).toBeVisible();
  return { ...opened, telegramId };
}

for (const container of clients) {
  test(`in ${container} a picture is sent to one’s own chat, and shared to another`, async ({
    open,
    nori,
    unique,
  }) => {
    const { app, sent, telegramId } = await startWithPicture({ open, nori, unique }, container);

    await result(app).getByRole('button', { name: 'Send to my chat', exact: true }).click();
    await expect(app.getByText('Sent. Look in your chat with the bot.')).toBeVisible();
    expect(shown(nori, telegramId)).toEqual(['photo']);
    await choose(app, 'Send to my chat as a file');
    await expect.poll(() => shown(nori, telegramId)).toEqual(['photo', 'document']);

    await choose(app, 'Share to a chat');
    await expect
      .poll(async () => (await sent('web_app_send_prepared_message')).map(({ data }) => data))
      .toEqual([{ id: expect.any(String) }]);
    const [message] = prepared(nori, telegramId);
    expect((await sent('web_app_send_prepared_message'))[0]?.data).toEqual({ id: message?.id });
    // Telegram has the photo that was sent before.
    expect(message?.result).toMatchObject({ type: 'photo', photo_file_id: expect.any(String) });
  });

  test(`in ${container} each failure of sharing is handled as Telegram names it`, async ({
    open,
    page,
    nori,
    unique,
  }) => {
    const { app, sent, telegramId } = await startWithPicture({ open, nori, unique }, container);
    const failed = app.getByText('The picture could not be shared. Try again.');

    await failShare(page, 'USER_DECLINED');
    await choose(app, 'Share to a chat');
    await expect.poll(async () => (await sent('web_app_send_prepared_message')).length).toBe(1);

    await failShare(page, 'MESSAGE_EXPIRED');
    await choose(app, 'Share to a chat');
    await expect(failed).toBeVisible();
    // Prepared once more, and no more than that.
    expect(prepared(nori, telegramId)).toHaveLength(3);
    expect(await sent('web_app_send_prepared_message')).toHaveLength(3);

    for (const error of ['MESSAGE_SEND_FAILED', 'UNKNOWN_ERROR']) {
      await app.getByRole('button', { name: 'Close' }).click();
      await expect(failed).toBeHidden();
      await failShare(page, error);
      await choose(app, 'Share to a chat');
      await expect(failed).toBeVisible();
    }

    await failShare(page, 'UNSUPPORTED');
    await choose(app, 'Share to a chat');
    await expect
      .poll(async () => (await sent('web_app_open_tg_link')).at(-1)?.data)
      .toEqual({
        path_full: expect.stringMatching(/^\/share\/url\?url=https%3A%2F%2Fnori\.example\.org/),
      });
  });

  test(`in ${container} the bot is let write, or one reads how`, async ({
    open,
    page,
    nori,
    unique,
    expected,
  }) => {
    expected.push(/status of 403/);
    const { app, sent, telegramId } = await startWithPicture({ open, nori, unique }, container);
    const send = result(app).getByRole('button', { name: 'Send to my chat', exact: true });
    nori.botApi.setReach(telegramId, 'never started');
    await answerBy(page, 'web_app_request_write_access', [
      'write_access_requested',
      { status: 'cancelled' },
    ]);

    await send.click();
    await expect(app.getByText(/^The bot may not write to you yet\./)).toBeVisible();
    await app.getByRole('button', { name: 'Open the bot' }).click();
    await expect
      .poll(async () => (await sent('web_app_open_tg_link')).at(-1)?.data)
      .toEqual({ path_full: `/${nori.botApi.bot.username}?start` });

    // Telegram allows it before it tells the page.
    nori.botApi.setReach(telegramId, 'started');
    await send.click();
    await expect(app.getByText('Sent. Look in your chat with the bot.')).toBeVisible();
    expect(shown(nori, telegramId)).toEqual(['photo']);
  });
}

for (const container of apps) {
  test(`in ${container} a picture is posted as a story that Telegram can load`, async ({
    open,
    nori,
    unique,
  }) => {
    const { app, sent } = await startWithPicture({ open, nori, unique }, container);

    await choose(app, 'Post as a story');

    await expect.poll(async () => (await sent('web_app_share_to_story')).length).toBe(1);
    const [story] = await sent('web_app_share_to_story');
    const media: unknown = Reflect.get(Object(story?.data), 'media_url');
    const { origin, pathname, search } = new URL(String(media));
    expect(origin).toBe(publicUrl);
    const loaded = await fetch(`${nori.origin}${pathname}${search}`);
    expect(loaded.headers.get('Content-Type')).toBe('image/jpeg');
  });
}

for (const container of ['weba', 'webk'] as const) {
  test(`in ${container}, which has no stories, none is offered`, async ({ open, nori, unique }) => {
    const { app } = await startWithPicture({ open, nori, unique }, container);

    await result(app).getByRole('button', { name: 'Share', exact: true }).click();

    await expect(app.getByRole('menuitem', { name: 'Share to a chat' })).toBeVisible();
    await expect(app.getByRole('menuitem', { name: 'Post as a story' })).toHaveCount(0);
  });
}

test('the bot tells when a picture is ready, also with the app closed', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const { telegramId } = await nori.member(unique());
  const { app, submit } = await open({ container: 'ios', path, telegramId });
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(words);
  await submit('Generate');
  await result(app).getByRole('button', { name: 'Tell me when it is ready' }).click();
  await expect(
    app
      .getByText('The bot will tell you when it is ready.')
      .or(result(app).getByRole('img', { name: words })),
  ).toBeVisible();
  await page.close();

  await expect.poll(() => shown(nori, telegramId)).toEqual(['photo']);
});
