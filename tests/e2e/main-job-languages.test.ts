/**
 * The main task in other languages, with all that the bot writes: in Persian inside Telegram, in Portuguese in a
 * browser, and with two groups in two languages at once.
 */
import { type Language } from '#contract/languages';
import { codeMinutes } from '#server/lib/limits';
import { writtenMessage } from '#tests/bot-api-world';
import {
  expect,
  fillSignup,
  type Frame,
  type Nori,
  openApp,
  type Page,
  requireLanguages,
  stayLoggedIn,
  test as base,
  thoroughIf,
} from '#tests/e2e';
import { startNori } from '#tests/e2e-server';
import { moveBot } from '#tests/moved-bot';
import { paintedLanguages, recordLanguages } from '#tests/painted-languages';
import { plainEnglish } from '#tests/plain-english';
import { type Spoken, spoken } from '#tests/spoken';

requireLanguages('fa', 'pt-BR');

const publicUrl = 'https://nori.example.org';

/** The bot reads messages, and its buttons open pages. */
const test = base.extend<{ readonly publicAddress: string }, { readonly nori: Nori }>({
  /** It leads to the server: pictures have it in their links. */
  publicAddress: [
    async ({ context, nori }, use) => {
      await context.route(`${publicUrl}/**`, async (route) => {
        const { pathname, search } = new URL(route.request().url());
        const response = await route.fetch({ url: `${nori.origin}${pathname}${search}` });
        await route.fulfill({ response });
      });
      await use(publicUrl);
      // The last page may still be loading.
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

const [persian, portuguese] = [spoken('fa'), spoken('pt-BR')];
const password = 'wide rivers carry small boats';

/** In Persian pages what may be in Latin letters: names, and data of the test. */
const latinInPersian = [
  /Rice lovers|\bRL\b|Mika|Spotify|AniList|owner@example\.org|\bAPI\b|\bGIF\b/g,
];

type Writer = { readonly chatId: number; readonly from: number; readonly language: Language };
let messageId = 500;

const sticker = { sticker: { file_id: 'a', file_unique_id: 'b' } };

/** What a user writes to the bot, or in a group. Returns the number of the message. */
function write(
  { botApi }: Nori,
  content: string | typeof sticker,
  { chatId, from, language }: Writer,
): number {
  messageId += 1;
  const { text, ...message } = writtenMessage({
    text: typeof content === 'string' ? content : '',
    chatId,
    from,
    messageId,
  });
  botApi.updates.push({
    message: {
      ...message,
      ...(typeof content === 'string' ? { text } : content),
      date: Math.floor(Date.now() / 1000),
      from: { ...message.from, language_code: language.toLowerCase() },
    },
  });
  return messageId;
}

const sentTo = ({ botApi }: Nori, to: number) =>
  botApi.messages.filter((message) => message.to === to).map(({ text }) => text);

/** The controls of a screen by their texts in a language. */
function controlsIn(app: Frame, say: Spoken) {
  const main = app.getByRole('main');
  const menu = async (item: string) => {
    await app
      .getByRole('button', { name: say('chats/chatTexts.settings.menu'), exact: true })
      .click();
    await app.getByRole('menuitem', { name: item }).click();
  };
  return {
    heading: (name: string) => app.getByRole('heading', { name: say(name) }),
    button: (name: string) => main.getByRole('button', { name: say(name), exact: true }),
    toggle: (type: string) =>
      app.getByRole('switch', {
        name: say('chats/chatTexts.settings.toggle', {
          label: say(`contract-chats-message-type/${type}`),
          topic: say('chats/chatTexts.settings.general'),
        }),
        exact: true,
      }),
    menu: (name: string) => menu(say(name)),
    /** One of the rows of the last step, which begin with their names. */
    choice: (name: string) => app.getByRole('button', { name: new RegExp(`^${say(name)}`) }),
    typeCode: async (code: string): Promise<void> => {
      const box = { position: 1, length: 6 };
      await app.getByRole('textbox', { name: say('account-signup/otpTexts.box', box) }).click();
      await app.page().keyboard.type(code);
    },
    signUp: async (submit: (name: string) => Promise<void>): Promise<void> => {
      await fillSignup(app, say, password);
      await submit(say('account-signup/signupTexts.submit'));
      await expect(
        app.getByRole('heading', { name: say('account-signup/otpTexts.title') }),
      ).toBeVisible();
    },
  };
}

for (const container of ['ios', 'weba'] as const) {
  test(
    `a Persian owner sets up a group from the bot’s menu button, and reads nothing else, in: ${container}`,
    thoroughIf(container === 'weba'),
    async ({ open, nori, page, unique }) => {
      const telegramId = unique();
      const chatId = -1_000_000_000_000 - unique();
      const owner = { from: telegramId, language: 'fa' } as const;
      await recordLanguages(page);

      let path = '';
      await test.step('the bot greets in Persian, and its button opens Persian pages', async () => {
        write(nori, '/start', { ...owner, chatId: telegramId });
        await expect.poll(() => sentTo(nori, telegramId)).toEqual([persian('server-bot/welcome')]);
        await expect
          .poll(() => nori.botApi.profile.menuButton(telegramId))
          .toMatchObject({
            text: persian('server-bot/menuButton'),
            web_app: { url: `${publicUrl}/fa` },
          });
        path = '/fa';
      });

      const opened = await open({ container, telegramId, language: 'fa', path });
      const { app, submit } = opened;
      const { heading, button, toggle, menu, choice, typeCode, signUp } = controlsIn(app, persian);

      await test.step('signs up with the code of a Persian message', async () => {
        await app
          .getByRole('navigation')
          .getByRole('button', { name: persian('app-shell/login') })
          .click();
        await expect(heading('account-signup/signupTexts.title')).toBeVisible();
        await signUp(submit);
        const code = nori.botApi.lastCode(telegramId);
        expect(sentTo(nori, telegramId).at(-1)).toBe(
          persian('server-accounts/accountTexts.code', {
            code,
            email: 'o•••@example.org',
            minutes: codeMinutes,
          }),
        );
        await typeCode(code);
        await submit(persian('account-signup/otpTexts.submit'));
      });

      await test.step('adds the bot in Telegram, and the group is there', async () => {
        await expect(
          app.getByText(persian('chats/chatTexts.firstRun.steps.add')).first(),
        ).toBeVisible();
        nori.botApi.addChat({ id: chatId, title: 'Rice lovers', creator: telegramId });
        moveBot(nori.botApi, { id: chatId, by: telegramId, language: 'fa' }, [
          'left',
          'administrator',
        ]);
        await button('chats/chatTexts.firstRun.proofAction').click();
      });

      await test.step('applies a preset, and undoes it', async () => {
        await choice('chats-message-type/presetTexts.name.photos_and_text').click();
        await expect(toggle('video')).toBeChecked();
        await expect(toggle('photo')).not.toBeChecked();
        const [before = ''] = persian('chats/chatTexts.firstRun.applied', {
          preset: persian('chats-message-type/presetTexts.name.photos_and_text'),
          count: 0,
        }).split('0');
        await expect(app.getByText(before)).toBeVisible();
        await app.getByRole('button', { name: persian('chats/chatTexts.change.undo') }).click();
        await expect(toggle('video')).not.toBeChecked();
        await expect(app.getByText(persian('chats/chatTexts.change.undone'))).toBeVisible();
      });

      await test.step('blocks stickers, and the bot deletes them', async () => {
        const stored = page.waitForResponse((response) => response.url().includes('/settings'));
        await toggle('sticker').click();
        await stored;
        const sent = write(nori, sticker, { chatId, from: 6, language: 'en' });
        await expect.poll(() => nori.botApi.deletions.gone(chatId)).toEqual([sent]);
      });

      await test.step('the history says it in Persian', async () => {
        await menu('chats/chatTexts.settings.history');
        const you = persian('chats-history/you');
        await expect(
          app
            .getByText(
              persian('chats-history/action.blocked', {
                author: you,
                label: persian('contract-chats-message-type/sticker'),
                where: persian('chats/chatTexts.settings.general'),
              }),
            )
            .first(),
        ).toBeVisible();
        expect(await plainEnglish(app, latinInPersian)).toEqual([]);
      });

      await test.step('the group speaks Persian to a member whose Telegram is English', async () => {
        write(nori, '/status', { chatId, from: 6, language: 'en' });
        await expect
          .poll(() =>
            // How fast Telegram answered stands between.
            sentTo(nori, chatId).map((text) => [text.split('\n').at(0), text.split('\n').at(-1)]),
          )
          .toEqual([
            [
              persian('server-bot/mayDelete'),
              persian('server-bot/blocked', {
                labels: persian('contract-chats-message-type/sticker'),
              }),
            ],
          ]);
      });

      await test.step('reload, Back and other pages stay Persian', async () => {
        await opened.reload();
        await expect(heading('chats-history/heading')).toBeVisible();
        await opened.pressBack();
        await expect(toggle('sticker')).toBeChecked();
        expect(await plainEnglish(app, latinInPersian)).toEqual([]);
        await opened.pressBack();
        await expect(heading('chats/chatTexts.list.heading')).toBeVisible();
        await expect(app.getByRole('link', { name: /Rice lovers/ })).toBeVisible();
        expect(await plainEnglish(app, latinInPersian)).toEqual([]);
        for (const title of ['labels.models', 'titles.features', 'labels.home'] as const) {
          await app
            .getByRole('navigation')
            .getByRole('button', { name: persian(`lib-page/${title}`) })
            .click();
          await expect.poll(() => new URL(app.url()).pathname).toMatch(/^\/fa(?:\/|$)/);
        }
        expect(await paintedLanguages(app)).toBe('fa rtl;');
      });
    },
  );
}

test.describe('in a Brazilian browser', () => {
  test.use({ locale: 'pt-BR' });

  test('a visitor signs up by a Portuguese message, and manages a group', async ({
    open,
    nori,
    page,
    unique,
    browser,
  }) => {
    const telegramId = unique();
    const chatId = -1_000_000_000_000 - unique();
    nori.botApi.addChat({ id: chatId, title: 'Rice lovers', creator: telegramId });
    moveBot(nori.botApi, { id: chatId, by: telegramId, language: 'pt-br' }, [
      'left',
      'administrator',
    ]);
    await recordLanguages(page);
    const opened = await open({ container: 'browser' });
    const { app, submit } = opened;
    const { button, choice, toggle, typeCode, signUp } = controlsIn(app, portuguese);
    const telegramIdField = portuguese('account/fields.telegramId');

    await test.step('signs up', async () => {
      await expect(page).toHaveURL(`${nori.origin}/pt-br`);
      const link = (name: string) =>
        app.getByRole('main').getByRole('link', { name: portuguese(name) });
      await link('app-shell/login').first().click();
      await link('account-login/loginTexts.signUp').click();
      // The screen before it has a field of the same name.
      await expect(
        app.getByRole('heading', { name: portuguese('account-signup/signupTexts.title') }),
      ).toBeVisible();
      await app.getByRole('textbox', { name: telegramIdField }).fill(String(telegramId));
      await signUp(submit);
      const code = nori.botApi.lastCode(telegramId);
      const values = { code, email: 'o•••@example.org', minutes: codeMinutes };
      // The bot may have written about the group in between.
      expect(sentTo(nori, telegramId)).toContain(
        portuguese('server-accounts/accountTexts.code', values),
      );
      await typeCode(code);
      await submit(portuguese('account-signup/otpTexts.submit'));
    });

    await test.step('proves by the owner’s code that the group is theirs', async () => {
      await app.getByRole('link', { name: /Rice lovers/ }).click();
      await button('chats/chatTexts.verify.send').click();
      await expect(app.getByText(portuguese('chats/chatTexts.verify.instruction'))).toBeVisible();
      const code = nori.botApi.lastCode(telegramId);
      expect(sentTo(nori, telegramId)).toContain(
        portuguese('server-chats/codeForYou', { code, title: 'Rice lovers', minutes: codeMinutes }),
      );
      const { body } = nori.botApi.messages.findLast(({ text }) => text.includes(code)) ?? {};
      expect(JSON.stringify(body)).toContain(portuguese('server-message/copyCode', { code }));
      await typeCode(code);
      await submit(portuguese('chats/chatTexts.proceed'));
      await choice('chats/chatTexts.firstRun.decide').click();
    });

    await test.step('blocks photos for good', async () => {
      const stored = page.waitForResponse((response) => response.url().includes('/settings'));
      await toggle('photo').click();
      await stored;
      await opened.reload();
      await expect(toggle('photo')).toBeChecked();
      write(nori, '/status', { chatId, from: 6, language: 'ru' });
      const labels = portuguese('contract-chats-message-type/photo');
      await expect
        .poll(() => sentTo(nori, chatId).at(-1))
        .toContain(portuguese('server-bot/blocked', { labels }));
      expect(await paintedLanguages(app)).toBe('pt-BR ltr;');
    });

    await test.step('returns to the group after the login on another device', async () => {
      const device = await browser.newContext({ locale: 'pt-PT' });
      const other = await openApp(await device.newPage(), nori, {
        container: 'browser',
        path: `/dashboard?chat=${chatId}`,
      });
      await other.app.getByRole('textbox', { name: telegramIdField }).fill(String(telegramId));
      await other.app
        .getByLabel(portuguese('account/fields.password'), { exact: true })
        .fill(password);
      await other.submit(portuguese('account-login/loginTexts.submit'));
      await expect(controlsIn(other.app, portuguese).toggle('photo')).toBeChecked();
      expect(other.page.url()).toBe(`${nori.origin}/pt-br/dashboard?chat=${chatId}`);
      await device.close();
    });
  });
});

test('two groups hear two languages at once, and a change of one is seen and heard at once', async ({
  page,
  nori,
  unique,
  browser,
}) => {
  const groups = await Promise.all(
    (
      [
        ['fa', persian],
        ['pt-BR', portuguese],
      ] as const
    ).map(async ([language, say]) => {
      const owner = await nori.member(unique());
      const chatId = -1_000_000_000_000 - unique();
      await nori.chat(owner, chatId, 'Rice lovers');
      moveBot(nori.botApi, { id: chatId, by: owner.telegramId, language: language.toLowerCase() }, [
        'left',
        'administrator',
      ]);
      await nori.block(owner, chatId, 'sticker');
      return { owner, chatId, language, say };
    }),
  );
  const statusIn = (say: Spoken) =>
    say('server-bot/blocked', { labels: say('contract-chats-message-type/sticker') });
  const lastLine = (chatId: number) => sentTo(nori, chatId).at(-1)?.split('\n').at(-1);
  const [first, second] = groups;
  if (first === undefined || second === undefined) {
    throw new Error('There are two groups');
  }
  await nori.botApi.updates.confirmed();

  await test.step('the same sticker is deleted in both, and each answers in its language', async () => {
    // Who asks speaks the language of the other group.
    const sent = groups.map(({ chatId }, index) => {
      const language = groups[1 - index]?.language ?? 'en';
      write(nori, '/status', { chatId, from: 6, language });
      return write(nori, sticker, { chatId, from: 6, language });
    });
    for (const [index, { chatId, say }] of groups.entries()) {
      await expect.poll(() => nori.botApi.deletions.gone(chatId)).toContain(sent[index]);
      await expect.poll(() => lastLine(chatId)).toBe(statusIn(say));
    }
  });

  await test.step('one is changed on the dashboard, which a second browser shows at once', async () => {
    const device = await browser.newContext({ locale: 'fa' });
    const path = `/dashboard?chat=${first.chatId}`;
    const openDialog = async (onPage: Page) => {
      await stayLoggedIn(onPage, first.owner);
      const { app } = await openApp(onPage, nori, { container: 'browser', path: `/fa${path}` });
      const controls = controlsIn(app, persian);
      await expect(controls.toggle('sticker')).toBeChecked();
      await controls.menu('chats-settings-language/open');
      const dialog = app.getByRole('dialog', { name: persian('chats-settings-language/open') });
      await expect(dialog.getByRole('radio', { name: 'فارسی' })).toBeChecked();
      return dialog.getByRole('radio', { name: 'Português (Brasil)' });
    };
    const here = await openDialog(page);
    const there = await openDialog(await device.newPage());
    await here.check();
    await expect(there).toBeChecked();
    await device.close();
  });

  write(nori, '/status', { chatId: first.chatId, from: 6, language: 'fa' });
  await expect.poll(() => lastLine(first.chatId)).toBe(statusIn(portuguese));
  expect(lastLine(second.chatId)).toBe(statusIn(portuguese));
});
