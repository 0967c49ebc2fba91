/** What a long press inside Telegram selects: what may be worth copying, and nothing of the interface. */
import { expect, type OpenedApp, test } from '#tests/e2e';

test.use({ hasTouch: true });

/** What the browser may select in the first element of a selector. */
function selectionIn({ app }: OpenedApp, selector: string): Promise<string> {
  return app
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).userSelect);
}

test('a long press inside Telegram selects content, and no labels, headings and buttons', async ({
  open,
}) => {
  const opened = await open({ container: 'ios', path: '/api?endpoint=anilist-anime' });
  await expect(opened.app.getByRole('textbox', { name: 'query *' })).toBeVisible();

  for (const part of ['h2', 'form button', 'label']) {
    await expect.poll(() => selectionIn(opened, part)).toBe('none');
  }
  for (const part of ['input', 'code', 'main p']) {
    expect(await selectionIn(opened, part)).toBe('text');
  }
});

test('the website selects as every website does', async ({ open }) => {
  const opened = await open({ container: 'phone browser', path: '/api?endpoint=anilist-anime' });
  await expect(opened.app.getByRole('textbox', { name: 'query *' })).toBeVisible();

  expect(await selectionIn(opened, 'h2')).toBe('auto');
});
