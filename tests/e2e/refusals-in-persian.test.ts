/** What goes wrong is said in the language of the page, whichever server or check says it. */
import {
  expect,
  fillSignup,
  type Frame,
  requireLanguages,
  stayLoggedIn,
  test,
  thoroughIf,
} from '#tests/e2e';
import { spoken } from '#tests/spoken';

requireLanguages('fa');

const say = spoken('fa');

test.beforeEach(({ expected }) => {
  expected.push(/status of (?:4|5)\d\d/);
});

/** What the page says about a failure, in Persian alone; `pattern` waits for the one that has it. */
async function readAlert(app: Frame, pattern = /./): Promise<string> {
  const alert = app.getByRole('main').getByRole('alert').filter({ hasText: pattern }).first();
  await expect(alert).toBeVisible();
  const text = (await alert.innerText()).trim();
  expect(text).not.toMatch(/[a-z]{2}/i);
  return text;
}

const fillTelegramId = (app: Frame, telegramId: number) =>
  app.getByRole('textbox', { name: say('account/fields.telegramId') }).fill(String(telegramId));

test('a login that fails, and one that has failed too often', async ({ open, nori, unique }) => {
  const { telegramId } = await nori.member(unique());
  const { app, submit } = await open({ container: 'browser', path: '/fa/login' });
  const logIn = async (password: string) => {
    await app.getByLabel(say('account/fields.password'), { exact: true }).fill(password);
    await submit(say('account-login/loginTexts.submit'));
  };
  await submit(say('account-login/loginTexts.submit'));
  await readAlert(app);
  await fillTelegramId(app, telegramId);
  await logIn('not the password');
  expect(await readAlert(app)).toBe(say('contract-endpoints-error/wrong_credentials'));

  for (let time = 0; time < 10; time += 1) {
    await nori
      .call('/login', { telegram_id: String(telegramId), password: 'wrong' })
      .catch(() => undefined);
  }
  await logIn('not the password, either');
  await readAlert(app, /\d/);
});

test('a weak password, a code that is asked for too soon, and one that is wrong', async ({
  open,
  nori,
  unique,
}) => {
  const telegramId = unique();
  const { app, submit } = await open({ container: 'browser', path: '/fa/signup' });
  const goOn = () => submit(say('account-signup/signupTexts.submit'));
  await fillTelegramId(app, telegramId);
  await fillSignup(app, say, 'password1');
  await goOn();
  expect(await readAlert(app)).toBe(say('server-accounts/weaknessTexts.common'));

  await nori.call('/register', {
    telegram_id: String(telegramId),
    email: 'owner@example.org',
    password: 'wide rivers carry small boats',
  });
  await fillTelegramId(app, telegramId);
  await fillSignup(app, say, 'wide rivers carry small boats');
  await goOn();
  await readAlert(app, /\d/);
});

test('groups that the bot does not see, and a Telegram that does not answer', async ({
  open,
  nori,
  unique,
  page,
}) => {
  const member = await nori.member(unique());
  await stayLoggedIn(page, member);
  const { app, submit } = await open({ container: 'browser', path: '/fa/dashboard?step=add' });
  const add = async (chatId: string) => {
    await app.getByRole('textbox', { name: say('chats/chatTexts.add.field') }).fill(chatId);
    await submit(say('chats/chatTexts.proceed'));
  };
  await add('nonsense');
  expect(await readAlert(app)).toBe(say('server-chats/malformedChatId'));
  await add('-100555');
  await readAlert(app);

  nori.botApi.failAll({ error_code: 500, description: 'Internal Server Error' });
  await add('-100556');
  await readAlert(app);
  nori.botApi.failAll();
});

test('an engine that makes no picture', thoroughIf(true), async ({ open, page }) => {
  const { app, submit } = await open({
    container: 'browser',
    path: '/fa/models?provider=imagine-art',
  });
  await page.route('**/backend/**', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
      : route.fallback(),
  );
  await app.getByRole('main').getByRole('textbox').first().fill('فانوس در مه');
  await submit(say('images-imagine/form.generate'));
  await readAlert(app);
});
