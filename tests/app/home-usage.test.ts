/** The two boxes on Home with the bot's usage. */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';

import { readUsage } from '#contract/endpoints/usage';
import { renderApp } from '#tests/render-app';

/** An observer for which every element is in view. */
class EverythingInView {
  readonly #report: (entries: { isIntersecting: boolean }[]) => void;
  constructor(report: (entries: { isIntersecting: boolean }[]) => void) {
    this.#report = report;
  }
  observe() {
    this.#report([{ isIntersecting: true }]);
  }
  disconnect() {}
}

const motion = { isReduced: true };

beforeEach(() => {
  motion.isReduced = true;
  vi.stubGlobal('IntersectionObserver', EverythingInView);
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('reduced-motion') && motion.isReduced,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
});

/** The test runs animation frames itself: `draw` runs all requested ones and returns their number. */
function holdFrames(): (now: number) => number {
  const asked = new Map<number, FrameRequestCallback>();
  let last = 0;
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => {
    last += 1;
    asked.set(last, frame);
    return last;
  });
  vi.stubGlobal('cancelAnimationFrame', (id: number) => void asked.delete(id));
  return (now) => {
    const frames = [...asked.values()];
    asked.clear();
    for (const frame of frames) {
      frame(now);
    }
    return frames.length;
  };
}

const box = async (name: string) => within(await screen.findByRole('region', { name }));
const rows = async (name: string) => {
  const part = await box(name);
  await waitFor(() => expect(part.queryByText('Loading...')).toBeNull());
  return part
    .queryAllByRole('listitem')
    .map(({ children: [title, count] }) => [title?.textContent, count?.textContent]);
};

/** Opens Home on a backend with this answer. */
async function openHome(status: number, body: unknown) {
  const page = await renderApp('/login');
  page.server.refuse(readUsage, { status, body });
  page.goTo('/');
  return page;
}

describe('the boxes', () => {
  test("show 'Loading...' until the figures are loaded", async () => {
    const page = await renderApp('/login');
    const release = page.server.hang(readUsage);
    page.goTo('/');

    expect((await box('Total Usage')).getByText('Loading...')).toBeVisible();
    expect((await box("Today's Usage")).getByText('Loading...')).toBeVisible();

    release();
    expect((await rows('Total Usage')).length).toBeGreaterThan(0);
  });

  test('list the most used first, with commas; the box of today has only features used today', async () => {
    await openHome(200, [
      { _id: 'status', count: 950, today: 12 },
      { _id: 'imagine', count: { $numberLong: '1234567' }, today: { $numberLong: '1002' } },
      { _id: 'waifu', count: 2000, today: 0 },
      { _id: 'tts', count: { $numberLong: '41' } },
    ]);

    expect(await rows('Total Usage')).toEqual([
      ['imagine', '1,234,567'],
      ['waifu', '2,000'],
      ['status', '950'],
      ['tts', '41'],
    ]);
    expect(await rows("Today's Usage")).toEqual([
      ['imagine', '1,002'],
      ['status', '12'],
    ]);
  });

  test('show six entries, and the others on demand', async () => {
    const { user } = await openHome(
      200,
      Array.from({ length: 9 }, (_, index) => ({ _id: `feature ${index}`, count: 10 - index })),
    );
    expect(await rows('Total Usage')).toHaveLength(6);

    await user.click((await box('Total Usage')).getByRole('button', { name: 'Show all 9' }));
    expect(await rows('Total Usage')).toHaveLength(9);

    await user.click((await box('Total Usage')).getByRole('button', { name: 'Show fewer' }));
    expect(await rows('Total Usage')).toHaveLength(6);
  });

  test('show a name as text', async () => {
    await openHome(200, [{ _id: '<img src=x>', count: 1 }]);

    expect(await rows('Total Usage')).toEqual([['<img src=x>', '1']]);
  });
});

describe('figures that are examples', () => {
  test('are marked as examples on a server without a bot', async () => {
    await renderApp('/');

    expect((await rows('Total Usage')).length).toBeGreaterThan(0);
    expect((await box('Total Usage')).getByText('demo: no bot connected')).toBeVisible();
    expect((await box("Today's Usage")).getByText('demo: no bot connected')).toBeVisible();
  });

  test('are not mentioned for another backend', async () => {
    await openHome(200, [{ _id: 'status', count: 3, today: 1 }]);

    expect(await rows('Total Usage')).toHaveLength(1);
    expect(screen.queryByText('demo: no bot connected')).toBeNull();
  });
});

const failure = 'The figures could not be loaded.';

describe('when the figures cannot be loaded, the boxes say so without an alert', () => {
  const isQuiet = () => {
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.queryByText(/error|HTTP/i)).toBeNull();
  };

  test.each([
    ['the server refuses', 503, {}],
    ['the address is unknown', 404, { detail: 'There is nothing at this address.' }],
    ['the server answers a page', 200, '<!doctype html>'],
    ['the answer is of another shape', 200, { usage: 3 }],
  ])('%s', async (_why, status, body) => {
    const { server } = await openHome(status, body);

    expect(await rows('Total Usage')).toEqual([]);
    expect(await rows("Today's Usage")).toEqual([]);
    expect(screen.getAllByText(failure)).toHaveLength(2);
    expect(screen.queryByText(/^None/)).toBeNull();
    expect(server.requestsTo(readUsage)).toHaveLength(1);
    isQuiet();
  });

  test('no answer comes', async () => {
    const page = await renderApp('/login');
    page.server.drop(readUsage);
    page.goTo('/');

    expect(await rows('Total Usage')).toEqual([]);
    expect(screen.getAllByText(failure)).toHaveLength(2);
    isQuiet();
  });

  test('they can be loaded again', async () => {
    const page = await openHome(503, {});
    const retry = await (await box("Today's Usage")).findByRole('button', { name: 'Try again' });
    page.server.refuse(readUsage, { status: 200, body: [{ _id: 'status', count: 3, today: 1 }] });

    await page.user.click(retry);

    await waitFor(async () => expect(await rows('Total Usage')).toEqual([['status', '3']]));
    expect(await rows("Today's Usage")).toEqual([['status', '1']]);
    expect(screen.queryByText(failure)).toBeNull();
  });

  test('a second failure leaves the button where it was', async () => {
    const page = await openHome(503, {});
    const total = await box('Total Usage');

    await page.user.click(await total.findByRole('button', { name: 'Try again' }));

    await waitFor(() => expect(page.server.requestsTo(readUsage)).toHaveLength(2));
    expect(await total.findByRole('button', { name: 'Try again' })).toHaveFocus();
  });
});

describe('a bot that was never used', () => {
  const steps = async () => {
    const part = await box('What to do first');
    return part
      .getAllByRole('link')
      .map((link) => [
        link.firstElementChild?.nextElementSibling?.firstElementChild?.textContent,
        link.getAttribute('href'),
      ]);
  };

  test('has a line in each box, and that is no failure', async () => {
    await openHome(200, []);

    expect(await rows('Total Usage')).toEqual([]);
    expect((await box('Total Usage')).getByText('None yet.')).toBeVisible();
    expect((await box("Today's Usage")).getByText('None today.')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  test('shows visitors where to look around', async () => {
    await openHome(200, []);

    expect(await steps()).toEqual([
      ['See what it does', '/features'],
      ['Make a picture', '/models'],
      ['Try the API', '/api'],
    ]);
  });

  test('leads users from adding the bot to their first picture', async () => {
    vi.stubEnv('VITE_BOT_USERNAME', '@built_in_bot');
    const opened = vi.fn<() => null>(() => null);
    vi.stubGlobal('open', opened);
    const page = await renderApp('/credits', { as: 4242 });
    page.server.refuse(readUsage, { status: 200, body: [] });
    page.goTo('/');

    const address =
      'https://t.me/built_in_bot?startgroup=settings&admin=delete_messages+restrict_members+invite_users+pin_messages+manage_topics';
    expect(await steps()).toEqual([
      ['Add the bot to a group', address],
      ['Choose what is blocked', '/dashboard'],
      ['Make a picture', '/models'],
    ]);
    await page.user.click(screen.getByRole('link', { name: /^Add the bot to a group/ }));

    expect(opened).toHaveBeenCalledWith(address, '_blank', 'noopener,noreferrer');
    expect(window.location.pathname).toBe('/');
    vi.unstubAllEnvs();
  });

  test('names no bot where none is known', async () => {
    const page = await renderApp('/credits', { as: 4242 });
    page.server.refuse(readUsage, { status: 200, body: [] });
    page.goTo('/');

    expect((await steps()).map(([title]) => title)).toEqual([
      'Choose what is blocked',
      'Make a picture',
    ]);
  });
});

test('a bot that was used on other days says so in the box of today alone', async () => {
  await openHome(200, [{ _id: 'status', count: 3, today: 0 }]);

  expect(await rows('Total Usage')).toEqual([['status', '3']]);
  expect((await box("Today's Usage")).getByText('None today.')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'What to do first' })).toBeNull();
});

describe('the call', () => {
  test('goes to the public API without the token of the session, and a 401 does not log out', async () => {
    const page = await renderApp('/privacy-policy');
    page.server.refuse(readUsage, { status: 401, body: {} });
    localStorage.setItem('accessToken', await page.testServer.signUp(4242));
    localStorage.setItem('telegram_id', '4242');
    await page.reload();
    page.goTo('/');

    expect(await rows('Total Usage')).toEqual([]);
    const [sent] = page.server.requestsTo(readUsage);
    expect(sent?.url.pathname).toBe('/public-api/telegram_bot/usage');
    expect(sent?.token).toBeUndefined();
    expect(localStorage.getItem('accessToken')).not.toBeNull();
    expect(screen.queryByText(/logged out/)).toBeNull();
  });
});

describe('the counters', () => {
  test('count up to the figure, which is reached after one second', async () => {
    motion.isReduced = false;
    const draw = holdFrames();
    await openHome(200, [{ _id: 'imagine', count: 123_456, today: 7 }]);
    const shown = async () => Number((await rows('Total Usage'))[0]?.[1]?.replaceAll(',', ''));
    await waitFor(async () => expect(await shown()).toBe(0));
    const seen: number[] = [];
    const drawAt = async (ms: number, expected: number) => {
      draw(ms);
      await waitFor(async () => expect(await shown()).toBe(expected));
      seen.push(expected);
    };

    // The second of each box begins with its first frame.
    await waitFor(() => expect(draw(5000)).toBe(2));
    await drawAt(5250, 71_373);
    await drawAt(5500, 108_024);
    // Fast at first, and gentle at the end.
    await drawAt(5900, 123_333);
    await drawAt(6000, 123_456);

    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(draw(6100)).toBe(0);
  });

  test('show the figure at once with reduced motion', async () => {
    await openHome(200, [{ _id: 'imagine', count: 123_456, today: 7 }]);

    const first = await (await box('Total Usage')).findByRole('listitem');

    expect(first).toHaveTextContent('imagine123,456');
  });
});
