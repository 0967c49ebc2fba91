/** Choosing a language in the middle of something: the place, what was typed and the session go with it. */
import {
  type Container,
  expect,
  type Frame,
  type OpenedApp,
  requireLanguages,
  test,
  thoroughIf,
  waitForHydration,
} from '#tests/e2e';
import { openOptions } from '#tests/hub-screens';
import { paintedLanguages, recordLanguages } from '#tests/painted-languages';
import { spoken } from '#tests/spoken';

requireLanguages('fa');

const [english, persian] = [spoken('en'), spoken('fa')];
const containers = ['ios', 'weba', 'android', 'browser'] as const satisfies Container[];

/** Chooses Persian in the footer, or behind "More", which an entry of Telegram's own menu opens, too. */
async function choosePersian({ app, isTelegram, emit }: OpenedApp): Promise<void> {
  const name = english('app-shell-later/language');
  if (isTelegram) {
    // The tabs make room for the keyboard while something is typed.
    await emit('settings_button_pressed');
    await app.getByRole('dialog').getByRole('combobox', { name }).selectOption('fa');
  } else {
    await app.getByRole('contentinfo').getByRole('combobox', { name }).selectOption('fa');
  }
  await expect(app.locator('html')).toHaveAttribute('lang', 'fa');
  await waitForHydration(app);
}

const placeIn = (app: Frame) => {
  const { pathname, search } = new URL(app.url());
  return pathname + search;
};

for (const container of containers) {
  const isRepeated = container !== 'ios';

  test(
    `a half-filled generator stays as it is, in: ${container}`,
    thoroughIf(isRepeated),
    async ({ open, unique }) => {
      const opened = await open({
        container,
        path: '/models?provider=pixai&view=generator',
        telegramId: unique(),
      });
      const { app } = opened;
      await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill('a lantern in the fog');
      await openOptions(app);
      await app.getByRole('radio', { name: '2:3' }).check();
      await app.getByRole('textbox', { name: 'Seed' }).fill('4711');

      await choosePersian(opened);

      expect(placeIn(app)).toBe('/fa/models?provider=pixai&view=generator');
      await expect(
        app.getByRole('textbox', { name: persian('images-shared/formTexts.prompt'), exact: true }),
      ).toHaveValue('a lantern in the fog');
      await expect(app.getByText('2:3')).toBeVisible();
    },
  );

  test(
    `who waits for a code stays where the code is entered, in: ${container}`,
    thoroughIf(isRepeated),
    async ({ open, nori, unique }) => {
      const telegramId = unique();
      const opened = await open({ container, path: '/signup', telegramId });
      const { app, submit, isTelegram } = opened;
      if (!isTelegram) {
        await app.getByRole('textbox', { name: 'Telegram User ID' }).fill(String(telegramId));
      }
      await app.getByRole('textbox', { name: 'Email Address' }).fill('owner@example.org');
      await app.getByLabel('Password', { exact: true }).fill('wide rivers carry small boats');
      await app
        .getByLabel('Confirm Password', { exact: true })
        .fill('wide rivers carry small boats');
      await submit('Continue');
      await expect(app.getByRole('heading', { name: 'Verify OTP' })).toBeVisible();

      await choosePersian(opened);

      await app
        .getByRole('textbox', {
          name: persian('account-signup/otpTexts.box', { position: 1, length: 6 }),
        })
        .click();
      await app.page().keyboard.type(nori.botApi.lastCode(telegramId));
      await submit(persian('account-signup/otpTexts.submit'));
      await expect(
        app.getByText(persian('chats/chatTexts.firstRun.steps.add')).first(),
      ).toBeVisible();
    },
  );

  test.describe('from the first frame', () => {
    test.use({ locale: container === 'browser' ? 'fa-IR' : 'en-US' });

    test(
      `no other language is painted than the user’s own, in: ${container}`,
      thoroughIf(isRepeated),
      async ({ open, page, unique }) => {
        await recordLanguages(page);
        const { app, reload } = await open({
          container,
          path: '/features',
          language: 'fa',
          telegramId: unique(),
        });
        await reload();
        await waitForHydration(app);

        expect(placeIn(app)).toBe('/fa/features');
        expect(await paintedLanguages(app)).toBe('fa rtl;');
      },
    );
  });
}

test('who has chosen a language goes back to that of Telegram', async ({ open, nori, unique }) => {
  const { telegramId } = await nori.member(unique());
  const { app, reload } = await open({
    container: 'ios',
    telegramId,
    language: 'fa',
    path: '/account?lang=en',
  });
  const menuIn = (say: typeof english) =>
    app
      .getByRole('main')
      .getByRole('combobox', { name: say('account-page/accountTexts.language'), exact: true });
  await menuIn(english).selectOption(english('lib-language/telegram'));

  await expect(app.locator('html')).toHaveAttribute('lang', 'fa');
  await expect(menuIn(persian)).toHaveValue('fa');
  await expect(
    menuIn(persian).getByRole('option', { name: persian('lib-language/telegram') }),
  ).toHaveCount(0);
  expect(placeIn(app)).toBe('/fa/account');
  await reload();
  await expect(menuIn(persian)).toHaveValue('fa');
});
