/** Generations whose answer is lost: their pictures are recovered, and not made or paid for twice. */
import { screen, waitFor, within } from '@testing-library/react';
import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';

import { generate, readJob } from '#contract/endpoints/images';
import { readCapabilities, readHealth } from '#contract/endpoints/site';
import {
  button,
  fillIn,
  finished,
  generateButton,
  openGenerator,
  result,
  sentRequests,
} from '#tests/generator';

type App = Awaited<ReturnType<typeof openGenerator>>;

const minuteMs = 60_000;
const gatewayPage = { status: 504, body: '<html><h1>504 Gateway Time-out</h1></html>' };

const history = () => within(screen.getByRole('region', { name: 'History' }));
const picture = () => history().findByRole('button', { name: 'Enlarge: a red fox' });

afterEach(() => vi.useRealTimers());

/** Each key stands for one picture; a request with the same key joins its job. */
const keys = (app: App) =>
  new Set(
    sentRequests(app).map((request) => v.parse(v.object({ job_key: v.string() }), request).job_key),
  );

/** From now on, timers fire at once. */
const startClock = () =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });

/** The server makes the first picture, but its answer is replaced by this one. */
function loseFirstAnswer(instead: () => Promise<Response>): void {
  const pass = globalThis.fetch;
  let isLost = false;
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    const response = await pass(input, init);
    if (isLost || !url.endsWith(generate.path)) {
      return response;
    }
    isLost = true;
    return instead();
  });
}

/** Starts a generation while the server cannot be reached, and waits until the page gives up. */
async function generateWithoutServer(app: App): Promise<void> {
  app.server.drop(readJob);
  await fillIn(app);
  startClock();
  await app.user.click(generateButton());
  await waitFor(() => expect(app.server.requestsTo(readJob).length).toBeGreaterThan(0));

  // The last pause may begin just before the minute is over.
  await vi.advanceTimersByTimeAsync(minuteMs + 30_000);
  expect(await result().findByRole('alert')).toHaveTextContent(/^Failed to start generation/);
}

test('when a proxy stops waiting, the picture is recovered and made once', async () => {
  const app = await openGenerator();
  const { status, body } = gatewayPage;
  loseFirstAnswer(() =>
    Promise.resolve(new Response(body, { status, headers: { 'Content-Type': 'text/html' } })),
  );
  await fillIn(app);

  await app.user.click(generateButton());

  expect(await finished('a red fox')).toBeVisible();
  expect(await picture()).toBeVisible();
  expect(history().queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(sentRequests(app)).toHaveLength(2);
  expect(keys(app).size).toBe(1);
});

test('the page waits for as long as the server says that the job is running', async () => {
  const app = await openGenerator();
  app.server.refuse(generate, gatewayPage);
  app.server.refuse(readJob, { status: 200, body: { state: 'running' } });
  await fillIn(app);
  startClock();

  await app.user.click(generateButton());
  await waitFor(() => expect(app.server.requestsTo(readJob).length).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(3 * minuteMs);
  expect(screen.getByText('1 generation in progress')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  app.server.heal(generate);
  await vi.advanceTimersByTimeAsync(minuteMs / 2);

  expect(await finished('a red fox')).toBeVisible();
  expect(keys(app).size).toBe(1);
});

test('after more than a minute without the server, Try again recovers the picture', async () => {
  const app = await openGenerator();
  loseFirstAnswer(() => Promise.reject(new TypeError('Failed to fetch')));
  await generateWithoutServer(app);

  app.server.heal(readJob);
  await app.user.click(history().getByRole('button', { name: 'Try again' }));

  expect(await picture()).toBeVisible();
  expect(keys(app).size).toBe(1);
});

test('Try again recovers the picture also after another try without the server', async () => {
  const app = await openGenerator();
  loseFirstAnswer(() => Promise.reject(new TypeError('Failed to fetch')));
  await generateWithoutServer(app);

  await app.user.click(history().getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('1 generation in progress')).toBeVisible();
  await vi.advanceTimersByTimeAsync(2 * minuteMs);
  app.server.heal(readJob);
  await app.user.click(await history().findByRole('button', { name: 'Try again' }));

  expect(await picture()).toBeVisible();
  expect(keys(app).size).toBe(1);
});

test('Try again makes a picture whose request never arrived', async () => {
  const app = await openGenerator();
  app.server.drop(generate);
  await generateWithoutServer(app);

  app.server.heal(generate);
  app.server.heal(readJob);
  await app.user.click(history().getByRole('button', { name: 'Try again' }));

  expect(await picture()).toBeVisible();
  expect(keys(app).size).toBe(2);
});

test.each([
  ['knows no jobs', { status: 404, body: { detail: 'Not Found' } }],
  ['answers every request with its page', { status: 200, body: '<html>Hello</html>' }],
])('a backend that %s leaves the failure with its status', async (_what, answer) => {
  const app = await openGenerator();
  app.server.refuse(generate, gatewayPage);
  app.server.refuse(readJob, answer);
  await fillIn(app);

  await app.user.click(generateButton());

  expect(await result().findByRole('alert')).toHaveTextContent('HTTP error! status: 504');
  expect(await history().findByRole('button', { name: 'Try again' })).toBeVisible();
  expect(button('Generate')).toBeEnabled();
  expect(keys(app).size).toBe(1);
});

test('after three seconds without the server the form says so, and stops when told to', async () => {
  const app = await openGenerator();
  app.server.drop(generate);
  app.server.drop(readJob);
  await fillIn(app);
  startClock();

  await app.user.click(generateButton());
  await waitFor(() => expect(app.server.requestsTo(readJob).length).toBeGreaterThan(0));
  expect(result().queryByText(/^The server does not answer/)).toBeNull();
  await vi.advanceTimersByTimeAsync(3000);

  expect(result().getByText('The server does not answer. Still trying...')).toBeVisible();
  await app.user.click(result().getByRole('button', { name: 'Stop' }));
  expect(await result().findByRole('alert')).toHaveTextContent(/^Failed to start generation/);
  expect(screen.queryByText('1 generation in progress')).toBeNull();
  const asked = app.server.requestsTo(readJob).length;
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect(app.server.requestsTo(readJob)).toHaveLength(asked);
});

test('the form stops saying that the server does not answer when it does', async () => {
  const app = await openGenerator();
  loseFirstAnswer(() => Promise.reject(new TypeError('Failed to fetch')));
  app.server.drop(readJob);
  await fillIn(app);
  startClock();
  await app.user.click(generateButton());
  await waitFor(() => expect(app.server.requestsTo(readJob).length).toBeGreaterThan(0));
  await vi.advanceTimersByTimeAsync(3000);
  expect(result().getByText(/^The server does not answer/)).toBeVisible();

  app.server.refuse(readJob, { status: 200, body: { state: 'running' } });
  app.server.hang(generate);
  await vi.advanceTimersByTimeAsync(15_000);

  expect(result().queryByText(/^The server does not answer/)).toBeNull();
  expect(result().getByText('Starting generation...')).toBeVisible();
});

test('a server that was out of reach from the beginning gets the request when it is back', async () => {
  const app = await openGenerator({
    onConnect: (server) => {
      server.drop(readCapabilities);
      server.drop(readHealth);
      server.drop(generate);
    },
  });
  await fillIn(app);
  startClock();
  await app.user.click(generateButton());
  await vi.advanceTimersByTimeAsync(3000);
  expect(result().getByText(/^The server does not answer/)).toBeVisible();
  expect(sentRequests(app)).toEqual([]);

  for (const endpoint of [readCapabilities, readHealth, generate]) {
    app.server.heal(endpoint);
  }
  await vi.advanceTimersByTimeAsync(15_000);

  expect(await finished('a red fox')).toBeVisible();
  expect(sentRequests(app)).toHaveLength(1);
  expect(keys(app).size).toBe(1);
});

test('waiting for a server that does not even refuse can be stopped, too', async () => {
  const app = await openGenerator({
    onConnect: (server) => {
      server.hang(readCapabilities);
    },
  });
  await fillIn(app);
  startClock();
  await app.user.click(generateButton());
  await vi.advanceTimersByTimeAsync(3000);

  await app.user.click(result().getByRole('button', { name: 'Stop' }));

  expect(await result().findByRole('alert')).toHaveTextContent(
    /generation: The server does not answer\.$/,
  );
  expect(sentRequests(app)).toEqual([]);
});
