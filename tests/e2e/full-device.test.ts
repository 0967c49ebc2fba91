/** Pictures on a device without room for them: what makes room, what is said, and what stays. */
import { expect, type Frame, type Page, test } from '#tests/e2e';

const address = '/models?provider=pixai&view=generator';
/** Anybody may type the id of a model that the server does not know. */
const unknownModel = /status of 404.*\/model-info\//;

/** From now on the browser gives the page no more than this for everything it keeps. */
async function limitStorage(page: Page, quotaSize: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', {
    origin: new URL(page.url()).origin,
    quotaSize,
  });
}

const history = (app: Frame) => app.getByRole('region', { name: 'History' });
const cards = (app: Frame) => history(app).getByRole('listitem');

async function make(app: Frame, submit: (name: string) => Promise<void>, prompt: string) {
  await app.getByRole('textbox', { name: 'Model ID' }).fill('1983308862240288769');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
  await submit('Generate');
  await expect(
    history(app).getByRole('listitem', { name: `Image: ${prompt}`, exact: true }),
  ).toBeVisible({ timeout: 30_000 });
}

const widths = (app: Frame) =>
  cards(app)
    .locator('img')
    .evaluateAll((images) =>
      images.map((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
    );

test('on a full device the oldest full picture makes room, keeps its small copy, and it is said', async ({
  open,
  page,
  expected,
}) => {
  expected.push(unknownModel);
  const { app, submit, reload } = await open({ container: 'browser', path: address });
  // Room for one picture, and not for a second one of its size beside it.
  await limitStorage(page, 2_000_000);
  await make(app, submit, 'The first lighthouse');
  await make(app, submit, 'The second lighthouse');

  await expect(app.getByText(/The device was full: the oldest picture made room/)).toBeVisible();
  await reload();
  await expect(cards(app)).toHaveCount(2);
  await expect.poll(() => widths(app)).toEqual([512, 512]);
});

test('without any room a picture is shown all the same, and what to do is said', async ({
  open,
  page,
  expected,
}) => {
  expected.push(unknownModel);
  const { app, submit } = await open({ container: 'browser', path: address });
  await limitStorage(page, 1);

  await make(app, submit, 'A lighthouse without a place');

  await expect(
    app.getByText(
      'This device has no room left for more pictures. Download it, or delete older ones.',
    ),
  ).toBeVisible();
});
