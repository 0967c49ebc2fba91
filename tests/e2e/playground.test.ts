/** The playground in a real browser: every endpoint answers, pictures show and speech plays. */
import { publicEndpoints } from '#contract/playground/endpoints';
import { type Container, expect, test } from '#tests/e2e';

test('every endpoint runs from the page, without a key', async ({ open }) => {
  const { app } = await open({ container: 'browser', path: '/api' });

  for (const { name, category, is18plus, isSupporting, examples, preview } of publicEndpoints) {
    if (isSupporting) {
      continue;
    }
    const group = app.getByRole('region', { name: new RegExp(`^${category} ?\\d`) });
    await group
      .getByRole('button', { name: new RegExp(`^GET ?${name.replaceAll(/[()]/g, '.')}`) })
      .click();
    const confirm = app.getByRole('button', { name: 'I am 18+' });
    if (is18plus && (await confirm.isVisible())) {
      await confirm.click();
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
  test(`a picture is seen and speech is heard: ${container}`, async ({ open, unique }) => {
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
  });
}

for (const container of ['ios', 'weba'] satisfies Container[]) {
  test(`list, form and answer are three views with Telegram’s back button: ${container}`, async ({
    open,
    unique,
  }) => {
    const opened = await open({ container, path: '/api', telegramId: unique() });
    const { app, pressBack, submit } = opened;
    const list = app.getByRole('navigation', { name: 'Endpoints' });
    const form = app.getByRole('textbox', { name: 'character' });
    const answer = app.getByRole('region', { name: 'Result' });
    await expect(list).toBeVisible();
    await expect(form).toBeHidden();

    await list.getByRole('button', { name: /Anime picture \(SFW\)/ }).click();
    await expect(form).toBeVisible();
    await expect(list).toBeHidden();
    await submit('Execute Request');
    await expect(answer.getByText('Success 200', { exact: true })).toBeVisible();
    await expect(form).toBeHidden();

    await pressBack();
    await expect(form).toBeVisible();
    await expect(answer).toBeHidden();
    await pressBack();
    await expect(list).toBeVisible();
    await expect(form).toBeHidden();
  });
}
