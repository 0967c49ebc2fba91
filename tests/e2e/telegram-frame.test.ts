/** Telegram's frame around the page: its back button and its safe areas. */
import { expect, isBackShown, test } from '#tests/e2e';

test('Telegram’s back button closes the dialog before it leaves the screen', async ({
  open,
  nori,
  unique,
}) => {
  const member = await nori.member(unique());
  const opened = await open({
    container: 'ios',
    path: '/',
    telegramId: member.telegramId,
  });
  const { app } = opened;
  await expect.poll(() => isBackShown(opened)).toBe(false);

  await app.getByRole('navigation').getByRole('button', { name: 'More' }).click();
  await expect(app.getByRole('dialog', { name: 'More' })).toBeVisible();
  await opened.pressBack();

  await expect(app.getByRole('dialog')).toHaveCount(0);
  await expect(app.getByRole('heading', { name: 'Hi, Mika' })).toBeVisible();
  await expect.poll(() => isBackShown(opened)).toBe(false);
});

test('Telegram’s back button is not shown for states of a tab, and is shown for deeper screens', async ({
  open,
  unique,
}) => {
  const opened = await open({ container: 'ios', path: '/models', telegramId: unique() });
  const { app } = opened;
  const providers = app.getByRole('combobox', { name: 'Image providers' });
  await providers.selectOption('Kusa');
  await expect(app.getByRole('list', { name: 'Kusa styles' })).toBeVisible();
  await providers.selectOption('Pix-AI');
  await app.getByRole('tab', { name: 'Models', exact: true }).click();
  await expect(app.getByRole('searchbox', { name: 'Search models...' })).toBeVisible();

  // A call on the way would be in the list of sent events.
  await expect
    .poll(async () => (await opened.sent('web_app_setup_back_button')).map(({ data }) => data))
    .toEqual([{ is_visible: true }]);
  await opened.pressBack();
  await expect(app.getByRole('tab', { name: 'Generator', selected: true })).toBeVisible();
  await expect.poll(() => isBackShown(opened)).toBe(false);
});

test('in landscape nothing is behind the cut-outs of the phone', async ({ open, page, unique }) => {
  const { app, emit } = await open({ container: 'ios', path: '/credits', telegramId: unique() });
  await page.setViewportSize({ width: 844, height: 390 });
  const tabs = app.getByRole('navigation').getByRole('button');
  const more = tabs.filter({ hasText: 'More' });
  await expect(more).toBeVisible();

  await emit('safe_area_changed', { top: 0, bottom: 21, left: 59, right: 47 });

  const sides = async () => {
    const first = await tabs.first().boundingBox();
    const last = await more.boundingBox();
    const content = await app.getByRole('main').boundingBox();
    const ends = [first, last, content].map((box) => (box?.x ?? 0) + (box?.width ?? 0));
    return {
      left: Math.min(first?.x ?? 0, content?.x ?? 0) >= 59,
      right: Math.max(...ends) <= 844 - 47,
    };
  };
  await expect.poll(sides).toEqual({ left: true, right: true });
  await more.click();
  const dialog = await app.getByRole('dialog', { name: 'More' }).boundingBox();
  expect(dialog?.x).toBeGreaterThanOrEqual(59);
});
