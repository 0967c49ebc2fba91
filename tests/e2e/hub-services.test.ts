/** Imagine Art and MidJourney on a server that has a service for each: as a visitor and as a user, on the web and in Telegram. */
import { type Container, expect, openApp, test, thoroughIf } from '#tests/e2e';
import { startNori } from '#tests/e2e-server';
import { startImagineService, startMidjourneyService } from '#tests/hub-services';

const words = 'A lantern boat on a quiet river';

/** The server answers 404 for launch data without an account. */
const usual = /status of 404/;

const visitors = [
  { who: 'a guest', isMember: false, container: 'browser' },
  { who: 'a member', isMember: true, container: 'ios' },
] as const satisfies readonly { who: string; isMember: boolean; container: Container }[];

for (const { who, isMember, container } of visitors) {
  test(
    `${who} makes pictures by both services: ${container}`,
    thoroughIf(isMember),
    async ({ page, unique, expected }) => {
      expected.push(usual);
      const [imagine, midjourney] = await Promise.all([
        startImagineService(),
        startMidjourneyService(),
      ]);
      const nori = await startNori({ ...imagine.variables, ...midjourney.variables });
      try {
        const telegramId = unique();
        if (isMember) {
          await nori.member(telegramId);
        }
        const path = '/models?provider=imagine-art';
        const { app, submit, reload } = await openApp(page, nori, { container, path, telegramId });
        const prompt = app.getByRole('textbox', { name: 'Prompt', exact: true });

        await expect(app.getByRole('radio', { name: '21:9' })).toBeDisabled();
        await expect(
          app.getByText('Imagine Art makes pictures in 1:1, 3:2, 4:3, 3:4, 16:9, and 9:16 only.'),
        ).toBeVisible();
        await prompt.fill(words);
        await submit('Generate Imagine Art');
        const result = app.getByRole('region', { name: 'Result' });
        await expect(result.getByRole('img', { name: words })).toBeVisible();
        expect(imagine.calls.map(({ body }) => body)).toMatchObject([
          { prompt: words, style: 'anime', aspect_ratio: '1:1' },
        ]);

        if (container === 'ios') {
          await app.getByRole('combobox', { name: 'Image providers' }).selectOption('MidJourney');
        } else {
          await app.getByRole('tab', { name: 'MidJourney' }).click();
        }
        // Until the provider's chunk has loaded, the other one is shown, with a prompt field of its own.
        await expect(app.getByRole('tabpanel', { name: 'MidJourney' })).toBeVisible();
        await prompt.fill(words);
        await submit('Generate');
        const made = app.getByRole('region', { name: 'Generated Images' });
        await expect(made.getByRole('img')).toHaveCount(4, { timeout: 240_000 });
        await reload();
        await expect(made.getByRole('img')).toHaveCount(4);
        expect(midjourney.callsTo('POST /mj/submit/imagine')).toHaveLength(1);
      } finally {
        // Its remaining requests would find no server.
        await page.close();
        await nori.close();
        await Promise.all([imagine.close(), midjourney.close()]);
      }
    },
  );
}
