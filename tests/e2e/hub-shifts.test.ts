/** Nothing on the hub's screens moves while answers arrive: measured as browsers report it. */
import { expect, type Page, settle, test, waitForHydration } from '#tests/e2e';

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only interfaces can be merged.
  interface Window {
    /** Each layout shift with its score and the texts of what moved. */
    layoutShifts?: string[];
  }
}

/** Runs in the page before its scripts. */
function recordShifts(): void {
  const shifts: string[] = [];
  window.layoutShifts = shifts;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      const sources: unknown = Reflect.get(shift, 'sources');
      const moved = (Array.isArray(sources) ? sources : []).map((source: unknown) => {
        const node: unknown =
          typeof source === 'object' && source !== null ? Reflect.get(source, 'node') : undefined;
        return node instanceof Node ? (node.textContent ?? '').slice(0, 40) : '';
      });
      shifts.push(`${String(Reflect.get(shift, 'value'))}: ${moved.join(', ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** No call to the backend is answered before the returned function is called. */
async function holdAnswers(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/backend/**', async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

for (const [width, height] of [
  [390, 844],
  [1280, 800],
] as const) {
  test(`the models of a slow server move nothing, at ${width}x${height}`, async ({
    page,
    nori,
  }) => {
    await page.setViewportSize({ width, height });
    await page.addInitScript(recordShifts);
    const release = await holdAnswers(page);
    // Without its scripts the page may never be loaded.
    await page.goto(`${nori.origin}/models?provider=pixai&view=models`, { waitUntil: 'commit' });
    await waitForHydration(page.mainFrame());
    await expect(page.getByText('Loading models...')).toBeVisible();

    release();

    const covers = page.getByRole('list', { name: 'Models' }).getByRole('listitem').locator('img');
    await expect(covers.first()).toBeVisible();
    await settle(page);
    expect(await page.evaluate(() => window.layoutShifts)).toEqual([]);
  });
}

for (const provider of ['', '?provider=imagine-art', '?provider=midjourney']) {
  test(`the generator of a slow server moves nothing: /models${provider}`, async ({
    page,
    nori,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.addInitScript(recordShifts);
    const release = await holdAnswers(page);
    await page.goto(`${nori.origin}/models${provider}`);
    await waitForHydration(page.mainFrame());
    await expect(page.getByRole('textbox', { name: 'Prompt', exact: true })).toBeVisible();

    release();

    await expect(page.getByText('Pictures are drawn offline, without AI.')).toBeVisible();
    await settle(page);
    expect(await page.evaluate(() => window.layoutShifts)).toEqual([]);
  });
}

test('the styles of a slow server move nothing', async ({ page, nori }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.addInitScript(recordShifts);
  const release = await holdAnswers(page);
  await page.goto(`${nori.origin}/models?provider=kusa`);
  await expect(page.getByText('Loading styles...')).toBeVisible();

  release();

  await expect(
    page.getByRole('list', { name: 'Kusa styles' }).locator('img').first(),
  ).toBeVisible();
  await settle(page);
  expect(await page.evaluate(() => window.layoutShifts)).toEqual([]);
});

test('an address with the models never shows the generator, which is opened by its tab', async ({
  page,
  nori,
}) => {
  let load = () => {};
  const mayLoad = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await mayLoad;
    await route.continue();
  });
  // Without its scripts the page may never be loaded.
  await page.goto(`${nori.origin}/models?provider=pixai&view=models`, { waitUntil: 'commit' });
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true });
  await expect(page.getByRole('heading', { level: 1, name: 'AI Models' })).toBeVisible();
  await expect(prompt).toBeHidden();

  load();

  await expect(page.getByRole('searchbox', { name: 'Search models...' })).toBeVisible();
  await page.getByRole('tab', { name: 'Generator' }).click();
  await expect(prompt).toBeVisible();
});
