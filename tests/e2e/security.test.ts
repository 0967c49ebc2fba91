/** Protection against pages of attackers and injected scripts, and addresses without secrets. */
import {
  expect,
  logIn,
  type Page,
  palettes,
  settle,
  stayLoggedIn,
  test,
  toggle,
  typeCode,
} from '#tests/e2e';
import { webHostPage } from '#tests/web-host';

test('a page of another origin cannot put the app into a frame', async ({
  page,
  nori,
  expected,
}) => {
  expected.push(/frame-ancestors|ERR_BLOCKED_BY_RESPONSE|Framing/);
  await page.route('https://evil.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<iframe name="app" src="${nori.origin}/login"></iframe>`,
    }),
  );

  await page.goto('https://evil.example/');

  await expect.poll(() => page.frame({ name: 'app' })?.url()).toContain('chrome-error');
});

test('in a frame of a page that sends nothing, the app is the website and sends no messages', async ({
  page,
  nori,
  unique,
  expected,
}) => {
  // The frame has Telegram's attributes, about which the browser warns.
  expected.push(/allow-scripts and allow-same-origin/);
  const member = await nori.member(unique());
  const hash = nori.launchHash({
    telegramId: member.telegramId,
    client: 'weba',
    palette: palettes.light,
  });
  await page.route(`${nori.origin}/framing-test`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: webHostPage({
        client: 'weba',
        address: `${nori.origin}/login${hash}`,
        palette: palettes.light,
        isSilent: true,
      }),
    }),
  );

  await page.goto(`${nori.origin}/framing-test`);

  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('banner')).toBeVisible();
  await expect(frame.getByRole('textbox', { name: 'Telegram User ID' })).toHaveValue('');
  expect(await page.evaluate(() => window.telegramClient?.sent)).toEqual([]);
});

/** Gathers what the policy of the page blocks. */
async function watchPolicy(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const broken: string[] = [];
    Object.assign(window, { broken });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      broken.push(`${violatedDirective} ${blockedURI}`);
    });
  });
  return () => page.evaluate(() => Array.from<string>(Reflect.get(window, 'broken')));
}

test('an injected script does not run, and our own scripts follow the policy', async ({
  open,
  page,
  nori,
  unique,
  expected,
}) => {
  expected.push(/Content Security Policy/, /violates the following/);
  const readBroken = await watchPolicy(page);
  const member = await nori.member(unique());
  await nori.chat(member, -unique(), '<img src=x onerror=alert(1)>');
  const opened = await open({ container: 'browser', path: '/login' });
  await logIn(opened, member);
  await opened.app.getByRole('link', { name: /<img src=x/ }).click();
  await expect(toggle(opened.app, 'photo')).toBeVisible();
  const brokenBefore = await readBroken();

  // The server's own page, into which text of a stranger came unescaped.
  await page.route(`${nori.origin}/credits`, async (route) => {
    const response = await route.fetch();
    const injected =
      '<script>window.wasRun = true</script><img src="data:," onerror="wasRun = true">';
    const html = (await response.text()).replace('</body>', `${injected}</body>`);
    await route.fulfill({ response, body: html });
  });
  await page.goto(`${nori.origin}/credits`);

  await expect.poll(readBroken).toEqual(['script-src-elem inline', 'script-src-attr inline']);
  await expect(opened.app.getByRole('heading', { level: 1 })).toBeVisible();
  expect(brokenBefore).toEqual([]);
  expect(await page.evaluate(() => Reflect.get(window, 'wasRun'))).toBeUndefined();
});

test('text becomes neither markup nor a script, whatever of ours would put it there', async ({
  open,
  page,
  expected,
}) => {
  expected.push(/Trusted ?(?:HTML|Script|Type)/i, /Content Security Policy/);
  const { app } = await open({ container: 'browser', path: '/credits' });
  await expect(app.getByRole('heading', { level: 1 })).toBeVisible();

  const outcomes = await page.evaluate(() => {
    const text = '<img src=x onerror="window.wasRun = true">';
    const tries: Record<string, () => unknown> = {
      innerHTML: () => (document.body.innerHTML = text),
      insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', text),
      'text of a script': () => (document.createElement('script').text = 'wasRun = true'),
      'address of a script': () => (document.createElement('script').src = '/assets/a.js'),
      worker: () => new Worker('/assets/a.js'),
      // Another policy could let everything pass.
      policy: () => window.trustedTypes?.createPolicy('anything', { createScriptURL: String }),
    };
    return Object.entries(tries).map(([name, run]) => {
      try {
        run();
        return `${name}: done`;
      } catch (error) {
        return `${name}: ${error instanceof Error ? error.name : 'refused'}`;
      }
    });
  });

  expect(outcomes).toEqual([
    'innerHTML: TypeError',
    'insertAdjacentHTML: TypeError',
    'text of a script: TypeError',
    'address of a script: TypeError',
    'worker: TypeError',
    'policy: TypeError',
  ]);
});

test('no screen breaks its own policy, and long JSON is read by the worker that the policy allows', async ({
  open,
  page,
  nori,
  unique,
  expected,
}) => {
  // Nothing is linked, so that nothing plays.
  expected.push(/409 \(Conflict\).*now-playing/);
  const readBroken = await watchPolicy(page);
  const member = await nori.member(unique());
  const chatId = -unique();
  await nori.chat(member, chatId, 'Rice lovers');
  await stayLoggedIn(page, member);
  const { app } = await open({ container: 'browser', path: '/' });

  const chat = `/dashboard?chat=${chatId}`;
  const screens = ['/', '/dashboard', chat, `${chat}&section=moderation`, '/models', '/features'];
  const more = ['/models?provider=pixai&view=generator', '/account', '/spotify/now-playing'];
  for (const path of [...screens, ...more, '/jav-auth', '/credits', '/privacy-policy']) {
    await page.goto(`${nori.origin}${path}`);
    await expect(app.getByRole('heading').first()).toBeVisible();
    await settle(page);
    expect(await readBroken(), path).toEqual([]);
  }

  await page.route('**/public-api/**', (route) =>
    route.fulfill({ json: { words: Array.from({ length: 60_000 }, () => 'otter otter') } }),
  );
  await page.goto(`${nori.origin}/api`);
  await app
    .getByRole('button', { name: /^GET ?Anime lookup|^GET ?Anime/ })
    .first()
    .click();
  await app
    .getByRole('button', { name: /^Load: / })
    .first()
    .click();
  const worker = page.waitForEvent('worker');
  await app.getByRole('button', { name: 'Execute Request' }).click();
  expect((await worker).url()).toContain('/assets/json-worker');
  await expect(app.getByText('Success 200', { exact: true })).toBeVisible();
  expect(await readBroken()).toEqual([]);
});

test('no address contains a secret, except the one-time password as specified', async ({
  open,
  page,
  nori,
  unique,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  const telegramId = unique();
  const chatId = -unique();
  const password = 'wide rivers carry small boats';
  nori.botApi.addChat({ id: chatId, title: 'Rice lovers', creator: telegramId });

  const { app, submit } = await open({ container: 'browser', path: '/signup' });
  await app.getByRole('textbox', { name: 'Telegram User ID' }).fill(String(telegramId));
  await app.getByRole('textbox', { name: 'Email Address' }).fill('secret@example.org');
  await app.getByLabel('Password', { exact: true }).fill(password);
  await app.getByLabel('Confirm Password', { exact: true }).fill(password);
  await submit('Continue');
  await expect(app.getByRole('heading', { name: 'Verify OTP' })).toBeVisible();
  const firstCode = nori.botApi.lastCode(telegramId);
  await typeCode(app, firstCode);
  await submit('Verify OTP');
  await app.getByRole('textbox', { name: 'Telegram Chat ID' }).fill(String(chatId));
  await submit('Continue');
  await expect(app.getByText('Enter the 6-digit OTP sent to the chat owner')).toBeVisible();
  const secondCode = nori.botApi.lastCode(telegramId);
  await typeCode(app, secondCode);
  await submit('Continue');
  await expect(toggle(app, 'photo')).toBeVisible();

  const token = await page.evaluate(() => localStorage.getItem('accessToken'));
  expect(token).toBeTruthy();
  for (const secret of [password, 'wide+rivers', 'wide%20rivers', 'secret@', 'secret%40', token!]) {
    expect(addresses.filter((address) => address.includes(secret))).toEqual([]);
  }
  for (const code of [firstCode, secondCode]) {
    const withCode = addresses.filter((address) => address.includes(code));
    expect(withCode.map((address) => new URL(address).pathname)).toEqual([
      code === firstCode ? '/backend/verify-otp' : '/backend/chats/verify',
    ]);
  }
});

test('a form that is submitted before hydration puts no password into the address', async ({
  page,
  nori,
  expected,
  complaints,
}) => {
  expected.push(/ERR_FAILED.*\/assets\//);
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.goto(`${nori.origin}/login`);
  await page.evaluate(() => {
    window.addEventListener('submit', ({ defaultPrevented }) => {
      document.documentElement.dataset['submit'] = defaultPrevented ? 'stopped' : 'sent';
    });
  });
  await page.getByLabel('Password', { exact: true }).fill('wide rivers');

  // The locator's own `press` would wait for a navigation that never happens.
  await page.keyboard.press('Enter');

  await expect(page.locator('html')).toHaveAttribute('data-submit', 'stopped');
  // Where no script runs at all, the browser sends it in the body.
  await expect(page.locator('form')).toHaveAttribute('method', 'post');
  expect(complaints.join()).not.toMatch(/wide.{1,3}rivers/);
  expect(page.url()).toBe(`${nori.origin}/login`);
});
