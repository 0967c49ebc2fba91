/** Pictures on a device whose storage is full: which ones are removed, and what the user sees. */
import sharp from 'sharp';

import { expect, type Frame, type Locator, type Page, stayLoggedIn, test } from '#tests/e2e';
import { pasteModelId } from '#tests/hub-screens';

const address = '/models?provider=pixai&view=generator';
/** Users may type the ID of a model that the server does not know. */
const unknownModel = /status of 404.*\/model-info\//;

/**
 * Limits the page's storage to a number of full pictures; 0 means no room at all. The size of a sketch
 * in bytes is random, and Chromium's own limit has a tolerance, so with either the test would be random.
 */
async function limitStorage(page: Page, fullPictures: number): Promise<void> {
  await page.addInitScript((room) => {
    const kept = new Set<unknown>();
    // oxlint-disable-next-line typescript/unbound-method -- Called below with the store that they belong to.
    const { put: putReally, delete: deleteReally } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function put(value, key) {
      if (this.name === 'bytes') {
        const isFull = typeof key === 'string' && key.endsWith('/original');
        if (room === 0 || (isFull && !kept.has(key) && kept.size >= room)) {
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
        }
        if (isFull) {
          kept.add(key);
        }
      }
      return putReally.call(this, value, key);
    };
    IDBObjectStore.prototype.delete = function remove(key) {
      if (this.name === 'bytes') {
        kept.delete(key);
      }
      return deleteReally.call(this, key);
    };
  }, fullPictures);
}

const history = (app: Frame) => app.getByRole('region', { name: 'History' });
const cards = (app: Frame) => history(app).getByRole('listitem');

async function make(app: Frame, submit: (name: string) => Promise<void>, prompt: string) {
  await pasteModelId(app, '1983308862240288769');
  await app.getByRole('textbox', { name: 'Prompt', exact: true }).fill(prompt);
  await submit('Generate');
  await expect(
    history(app).getByRole('listitem', { name: `Image: ${prompt}`, exact: true }),
  ).toBeVisible();
}

const readWidths = (pictures: Locator) =>
  pictures.evaluateAll((images) =>
    images.map((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0)),
  );
const widths = (app: Frame) => readWidths(cards(app).locator('img'));

test('on a full device the oldest full picture is removed, its small copy stays, and the user is told', async ({
  open,
  page,
  expected,
}) => {
  expected.push(unknownModel);
  await limitStorage(page, 1);
  const { app, submit, reload } = await open({ container: 'browser', path: address });
  await make(app, submit, 'The first lighthouse');
  await make(app, submit, 'The second lighthouse');

  await expect(app.getByText(/The device was full: the oldest picture made room/)).toBeVisible();
  await reload();
  await expect(cards(app)).toHaveCount(2);
  await expect.poll(() => widths(app)).toEqual([512, 512]);
});

test('a removed picture is shown and saved in full from the user’s account', async ({
  open,
  page,
  nori,
  unique,
  expected,
}) => {
  expected.push(unknownModel);
  await limitStorage(page, 1);
  const member = await nori.member(unique());
  await stayLoggedIn(page, member);
  const { app, submit } = await open({ container: 'browser', path: address });
  await make(app, submit, 'The first lighthouse');
  await make(app, submit, 'The second lighthouse');
  await expect(app.getByText(/The device was full: the oldest picture made room/)).toBeVisible();

  await app.getByRole('button', { name: 'Enlarge: The first lighthouse' }).click();
  const viewer = app.getByRole('dialog', { name: 'Image viewer' });
  const picture = viewer.getByRole('img', { name: /The first lighthouse/ });
  await expect.poll(() => readWidths(picture)).toEqual([1024]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    viewer.getByRole('button', { name: 'Download' }).click(),
  ]);

  const { width } = await sharp(await download.path()).metadata();
  expect(width).toBe(1024);
});

test('without any room a picture is still shown, with advice', async ({ open, page, expected }) => {
  expected.push(unknownModel);
  await limitStorage(page, 0);
  const { app, submit } = await open({ container: 'browser', path: address });

  await make(app, submit, 'A lighthouse without a place');

  await expect(
    app.getByText(
      'This device has no room left for more pictures. Download it, or delete older ones.',
    ),
  ).toBeVisible();
});
