/** The playground in a real browser: every endpoint responds, pictures are shown and speech plays. */
import { publicEndpoints } from '#contract/playground/endpoints';
import { type Container, expect, type Frame, type Locator, test, thoroughIf } from '#tests/e2e';

test('every endpoint runs from the page, without a key', async ({ open }) => {
  const { app } = await open({ container: 'browser', path: '/api' });

  let isAsked = false;
  for (const { name, category, is18plus, isSupporting, examples, preview } of publicEndpoints) {
    if (isSupporting) {
      continue;
    }
    const group = app.getByRole('region', { name: new RegExp(`^${category} ?\\d`) });
    await group
      .getByRole('button', { name: new RegExp(`^GET ?${name.replaceAll(/[()]/g, '.')}`) })
      .click();
    if (is18plus && !isAsked) {
      // The question is shown once per visit.
      await app.getByRole('button', { name: 'I am 18+' }).click();
      isAsked = true;
    }
    await app.getByRole('button', { name: `Load: ${examples[0]?.name ?? ''}` }).click();
    await app.getByRole('button', { name: 'Execute Request' }).click();

    await expect(
      app.getByText('Success 200', { exact: true }),
      `${category}: ${name}`,
    ).toBeVisible();
    await expect(app.getByRole('tab', { name: 'Preview' })).toHaveCount(preview ? 1 : 0);
  }
});

for (const container of ['browser', 'phone browser', 'ios'] satisfies Container[]) {
  test(
    `a picture is shown and speech plays: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, unique }) => {
      const { app, submit } = await open({
        container,
        path: '/api?endpoint=anime-sfw',
        telegramId: unique(),
      });
      await submit('Execute Request');
      await app.getByRole('tab', { name: 'Preview' }).click();
      await expect
        .poll(() =>
          app
            .getByRole('img', { name: /^Answer/ })
            .evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth),
        )
        .toBeGreaterThan(100);

      const next = await open({
        container,
        path: '/api?endpoint=tts-synthesize',
        telegramId: unique(),
      });
      await next.submit('Execute Request');
      await next.app.getByRole('tab', { name: 'Preview' }).click();
      const time = () =>
        next.app.locator('audio').evaluate(async (sound) => {
          if (!(sound instanceof HTMLAudioElement)) {
            return 0;
          }
          await sound.play();
          return sound.currentTime;
        });
      await expect.poll(time).toBeGreaterThan(0.2);
    },
  );
}

/** Where an element is on the screen; fails unless all of its text is there. */
async function findPosition(
  part: Locator,
): Promise<{ readonly top: number; readonly bottom: number }> {
  await expect(part).toBeInViewport({ ratio: 1 });
  return part.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return { top, bottom };
  });
}

const statusLine = (app: Frame) => app.getByText('Success 200', { exact: true });
const firstLine = (app: Frame) =>
  app.getByRole('region', { name: 'Body of the answer' }).locator('code').first();
const readScroll = (app: Frame) => app.evaluate(() => Math.round(window.scrollY));

for (const container of ['ios', 'phone browser'] satisfies Container[]) {
  test(
    `parameters and button are in the first screen, and then status and answer: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, unique }) => {
      const { app, submit, isTelegram } = await open({
        container,
        path: '/api?endpoint=anilist-anime&p.query=Frieren',
        telegramId: unique(),
      });
      const field = app.getByRole('textbox', { name: 'query *' });
      await expect(field).toHaveValue('Frieren');
      expect((await findPosition(field)).top).toBeLessThan(320);
      if (!isTelegram) {
        const button = app.getByRole('button', { name: 'Execute Request' });
        expect((await findPosition(button)).bottom).toBeLessThanOrEqual(844);
      }

      await submit('Execute Request');
      await expect(firstLine(app)).toBeVisible();

      expect((await findPosition(statusLine(app))).bottom).toBeLessThan(190);
      expect((await findPosition(app.getByText(/^\d+ ms$/))).bottom).toBeLessThan(190);
      expect((await findPosition(firstLine(app))).bottom).toBeLessThan(360);
      expect(await readScroll(app)).toBe(0);
    },
  );
}

test('the button of a long form is in view wherever the page is scrolled: phone browser', async ({
  open,
}) => {
  const { app } = await open({ container: 'phone browser', path: '/api?endpoint=tts-synthesize' });
  const button = app.getByRole('button', { name: 'Execute Request' });
  const positions = [0, 300, 100_000];

  for (const top of positions) {
    await app.evaluate((y) => window.scrollTo(0, y), top);
    await expect(button, `scrolled to ${top}`).toBeInViewport({ ratio: 1 });
  }
  expect(await readScroll(app)).toBeGreaterThan(0);
});

for (const endpoint of ['anime-sfw', 'tts-synthesize']) {
  test(`on a laptop list, form and answer of ${endpoint} are in view at once`, async ({ open }) => {
    const { app, submit } = await open({
      container: 'browser',
      path: `/api?endpoint=${endpoint}`,
    });

    await submit('Execute Request');
    await expect(statusLine(app)).toBeVisible();

    for (const part of [
      app.getByRole('searchbox', { name: 'Search endpoints...' }),
      app.getByRole('heading', { name: 'Parameters' }),
      app.getByRole('button', { name: 'Execute Request' }),
      statusLine(app),
      firstLine(app),
    ]) {
      expect((await findPosition(part)).bottom).toBeLessThanOrEqual(800);
    }
    const { page, window: height } = await app.evaluate(() => ({
      page: document.documentElement.scrollHeight,
      window: window.innerHeight,
    }));
    expect(page, 'the page does not scroll').toBe(height);
  });
}

test('on a tablet the answer is below the form, and comes into view', async ({ open, page }) => {
  const { app, submit } = await open({
    container: 'browser',
    path: '/api?endpoint=tts-synthesize',
  });
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(app.getByRole('heading', { name: 'Result' })).not.toBeInViewport();

  await submit('Execute Request');

  await expect(firstLine(app)).toBeInViewport({ ratio: 1 });
  expect((await findPosition(statusLine(app))).top).toBeGreaterThan(64);
});

/** The scroll position, and whether the focused element is visible in the content. */
const readPosition = (app: Frame) =>
  app.evaluate(() => {
    const focused = document.activeElement;
    return {
      top: Math.round(window.scrollY),
      heading: focused?.closest('main') ? focused.textContent.trim() : '',
    };
  });

/** Scrolls to the end of the list and taps its last entry. */
async function openLast(app: Frame): Promise<{ readonly top: number }> {
  const last = app
    .getByRole('navigation', { name: 'Endpoints' })
    .getByRole('listitem')
    .last()
    .getByRole('button');
  await last.scrollIntoViewIfNeeded();
  await expect.poll(async () => (await readPosition(app)).top).toBeGreaterThan(300);
  const { top } = await readPosition(app);
  await last.press('Enter');
  return { top };
}

for (const container of ['ios', 'weba', 'phone browser'] satisfies Container[]) {
  test(
    `list, form and answer are three views, and Back goes through them: ${container}`,
    thoroughIf(container !== 'phone browser'),
    async ({ open, unique }) => {
      const opened = await open({ container, path: '/api', telegramId: unique() });
      const { app, page, isTelegram, pressBack, submit } = opened;
      const back = () => (isTelegram ? pressBack() : page.goBack());
      const list = app.getByRole('navigation', { name: 'Endpoints' });
      const form = app.getByRole('textbox', { name: 'text' });
      const answer = app.getByRole('region', { name: 'Result' });
      await expect(list).toBeVisible();
      await expect(form).toBeHidden();

      const { top } = await openLast(app);
      await expect(form).toBeVisible();
      await expect(list).toBeHidden();
      await expect
        .poll(() => readPosition(app))
        .toEqual({ top: 0, heading: 'Synthesize other speech' });

      await submit('Execute Request');
      await expect(answer.getByText('Success 200', { exact: true })).toBeVisible();
      await expect(form).toBeHidden();
      await expect.poll(() => readPosition(app)).toEqual({ top: 0, heading: 'Result' });

      await back();
      await expect(form).toBeVisible();
      await expect(answer).toBeHidden();
      await expect
        .poll(async () => (await readPosition(app)).heading)
        .toBe('Synthesize other speech');
      await app.getByRole('button', { name: 'Show the answer' }).click();
      await expect(answer.getByText('Success 200', { exact: true })).toBeVisible();
      await back();
      await expect(form).toBeVisible();

      await back();
      await expect(list).toBeVisible();
      await expect(form).toBeHidden();
      await expect.poll(() => readPosition(app)).toEqual({ top, heading: 'API Playground' });
    },
  );
}

test('the page’s own back links leave no second list or form in the history: phone browser', async ({
  open,
}) => {
  const { app, page, submit } = await open({ container: 'phone browser', path: '/features' });
  const list = app.getByRole('navigation', { name: 'Endpoints' });
  const form = app.getByRole('textbox', { name: 'text' });
  const answered = app.getByText('Success 200', { exact: true });
  await app.getByRole('button', { name: 'Open menu' }).click();
  await app.getByRole('link', { name: 'API', exact: true }).click();
  await expect(list).toBeVisible();

  await openLast(app);
  await submit('Execute Request');
  await expect(answered).toBeVisible();
  await app.getByRole('button', { name: 'Back to the form' }).click();
  await expect(form).toBeVisible();
  await app.getByRole('link', { name: 'All endpoints' }).click();
  await expect(list).toBeVisible();
  await page.goBack();

  await expect(app.getByRole('heading', { name: 'Nori Features' })).toBeVisible();
});

test('a link to an endpoint leads from its answer to its form, and to the list: phone browser', async ({
  open,
}) => {
  const { app, page, submit } = await open({
    container: 'phone browser',
    path: '/api?endpoint=anime-sfw',
  });
  const form = app.getByRole('textbox', { name: 'character' });
  const answered = app.getByText('Success 200', { exact: true });

  await submit('Execute Request');
  await expect(answered).toBeVisible();
  // The response is lost with the page.
  await page.reload();
  await expect(form).toBeVisible();
  await expect(page).toHaveURL(/\/api\?endpoint=anime-sfw$/);
  await submit('Execute Request');
  await expect(answered).toBeVisible();
  await app.getByRole('button', { name: 'Back to the form' }).click();
  await expect(form).toBeVisible();
  await app.getByRole('link', { name: 'All endpoints' }).click();

  await expect(app.getByRole('navigation', { name: 'Endpoints' })).toBeVisible();
});
