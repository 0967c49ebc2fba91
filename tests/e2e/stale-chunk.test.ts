/** A deployment has removed the chunks of an open page: one reload repairs it, or the page shows an error. */
import { createChunkMatcher } from '#tests/chunk';
import { expect, test } from '#tests/e2e';

const signup = 'src/features/account/signup-screen.tsx';

test('a screen whose chunk was removed is loaded by one reload, with the same address', async ({
  open,
  page,
  expected,
}) => {
  expected.push(/Failed to load resource/, /MissingChunk/);
  const { app } = await open({ container: 'browser' });
  await expect(app.getByRole('banner').getByRole('link', { name: 'Sign Up' })).toBeVisible();
  await page.route(await createChunkMatcher(signup), (route) => route.fulfill({ status: 404 }), {
    times: 1,
  });

  await app.getByRole('banner').getByRole('link', { name: 'Sign Up' }).click();

  await expect(app.getByRole('heading', { name: 'Create Account' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/signup');
  await app.getByRole('textbox', { name: 'Email Address' }).fill('alive@example.org');
});

test('when a reload does not help, the page says so and the navigation still works', async ({
  open,
  page,
  expected,
}) => {
  expected.push(/Failed to load resource/, /MissingChunk/);
  const { app } = await open({ container: 'browser' });
  await expect(app.getByRole('banner').getByRole('link', { name: 'Sign Up' })).toBeVisible();
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.route(await createChunkMatcher(signup), (route) => route.fulfill({ status: 404 }));

  await app.getByRole('banner').getByRole('link', { name: 'Sign Up' }).click();

  await expect(
    app.getByRole('heading', { name: 'Something broke on our side of the screen.' }),
  ).toBeVisible();
  await expect.poll(() => loads).toBe(1);
  await app.getByRole('banner').getByRole('link', { name: 'Home' }).click();
  await expect(
    app.getByRole('heading', { name: 'The bot your group chat was missing' }),
  ).toBeVisible();
});
