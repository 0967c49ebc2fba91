/** The playground: the list, the form, links, code and recent calls. */
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { publicEndpoints } from '#contract/playground/endpoints';
import { entry, field, openPlayground, run, sentUrls, findWire } from '#tests/playground';

describe('the list of endpoints', () => {
  test('has every endpoint of the specification in its category, with its method and path', async () => {
    await openPlayground();

    const list = screen.getByRole('navigation', { name: 'Endpoints' });
    const shown = publicEndpoints.filter(({ isSupporting }) => isSupporting !== true);
    expect(shown).toHaveLength(18);
    for (const category of new Set(shown.map((one) => one.category))) {
      const group = within(list).getByRole('region', { name: new RegExp(`^${category} ?\\d`) });
      const rows = shown.filter((one) => one.category === category);
      expect(
        [...group.querySelectorAll('li')].map((item) => item.textContent?.replace('18+', '')),
      ).toEqual(rows.map(({ name, path }) => `GET${name}${path}`));
    }
  });

  test('folds a category, and opens it again', async () => {
    const { user } = await openPlayground();
    const heading = screen.getByRole('button', { name: /^Downloaders/ });

    await user.click(heading);
    expect(screen.queryByRole('button', { name: 'GET TikTok' })).toBeNull();
    await user.click(heading);

    expect(screen.getByRole('button', { name: /TikTok/ })).toBeVisible();
  });

  test('is searched by name, path, description and parameter', async () => {
    const { user } = await openPlayground();
    const box = screen.getByRole('searchbox', { name: 'Search endpoints...' });
    expect(box).toHaveAttribute('placeholder', 'Search endpoints...');

    await user.type(box, '/anilist/');
    expect(await screen.findByText('3 endpoints found')).toBeVisible();
    await user.clear(box);
    await user.type(box, 'voices');
    expect(await screen.findByText('3 endpoints found')).toBeVisible();
    await user.clear(box);
    await user.type(box, 'zebra');

    expect(screen.getByText('No endpoints found matching "zebra"')).toBeVisible();
  });

  test('a slash focuses the search, but is typed in a field', async () => {
    const { user } = await openPlayground();

    await user.keyboard('/');
    expect(screen.getByRole('searchbox', { name: 'Search endpoints...' })).toHaveFocus();
    await user.click(field('character'));
    await user.keyboard('/');

    expect(field('character')).toHaveFocus();
    expect(field('character')).toHaveValue('Hatsune Miku/');
  });

  test('is in the navigation between Models and Credits', async () => {
    await openPlayground();

    const names = within(screen.getByRole('navigation', { name: 'Main' }))
      .getAllByRole('link')
      .map((link) => link.textContent);

    expect(names.slice(names.indexOf('Models'), names.indexOf('Credits') + 1)).toEqual([
      'Models',
      'API',
      'Credits',
    ]);
  });
});

describe('an endpoint', () => {
  test('shows its description, and marks required fields', async () => {
    const { user } = await openPlayground();

    await user.click(screen.getByRole('button', { name: /TikTok/ }));

    const heading = await screen.findByRole('heading', { level: 2, name: 'TikTok' });
    expect(heading).toBeVisible();
    expect(within(heading.closest('header')!).getByText('/tk')).toBeVisible();
    expect(screen.getByText('The pictures and films behind a link to TikTok.')).toBeVisible();
    expect(field('url *')).toBeRequired();
  });

  test('gives the page its name; the list takes it away', async () => {
    const { user } = await openPlayground('?endpoint=anilist-character');
    await waitFor(() => expect(document.title).toBe('Character · API · Nori'));

    await user.click(screen.getByRole('button', { name: /TikTok/ }));
    await waitFor(() => expect(document.title).toBe('TikTok · API · Nori'));
    await user.click(screen.getByRole('link', { name: 'All endpoints' }));

    await waitFor(() => expect(document.title).toBe('API · Nori'));
  });

  test('Load fills the form, and the Request URL follows', async () => {
    const { user } = await openPlayground('?endpoint=anilist-anime');

    await user.click(screen.getByRole('button', { name: 'Load: A classic' }));

    expect(field('query *')).toHaveValue('Cowboy Bebop');
    expect(
      within(screen.getByRole('region', { name: 'Request URL' })).getByText(
        `${window.location.origin}/public-api/anilist/anime?query=Cowboy+Bebop`,
      ),
    ).toBeVisible();
  });

  test('copies the Request URL, and shows that for 2 seconds', async () => {
    const { user } = await openPlayground();
    const box = within(screen.getByRole('region', { name: 'Request URL' }));

    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    try {
      await user.click(box.getByRole('button', { name: 'Copy the URL' }));
      expect(await box.findByText('Copied!')).toBeVisible();
      expect(await navigator.clipboard.readText()).toBe(
        `${window.location.origin}/public-api/anime/sfw?character=Hatsune+Miku`,
      );
      // Far from the end, because the clock also advances by itself.
      await vi.advanceTimersByTimeAsync(1000);
      expect(box.getByText('Copied!')).toBeVisible();
      await vi.advanceTimersByTimeAsync(1100);
      await waitFor(() => expect(box.queryByText('Copied!')).toBeNull());
    } finally {
      vi.useRealTimers();
    }
  });

  test('does not run while a required value is missing; the field shows that', async () => {
    const { user, server } = await openPlayground('?endpoint=tk');

    await run(user);

    expect(await screen.findByText('url is required')).toBeVisible();
    expect(field('url *')).toHaveFocus();
    expect(field('url *')).toHaveAccessibleDescription(expect.stringContaining('url is required'));
    expect(sentUrls(server, 'tk')).toEqual([]);
    await user.type(field('url *'), 'https://example.org/');
    expect(screen.getByText('url must be a link to tiktok.com')).toBeVisible();
  });

  test('sends only values that are not empty, and never the token', async () => {
    const { user, server } = await openPlayground('?endpoint=tts-synthesize', { as: 4242 });
    server.refuse(findWire('tts-synthesize'), { status: 200, body: {} });

    await user.clear(field('text'));
    await run(user);
    await screen.findByText('Success 200');

    expect(sentUrls(server, 'tts-synthesize')).toEqual(['/public-api/tts/synthesize?language=en']);
    expect(server.requestsTo(findWire('tts-synthesize'))[0]?.token).toBeUndefined();
  });

  test('keeps the values of its form over a reload', async () => {
    const { user, reload } = await openPlayground('?endpoint=anilist-character');
    await user.type(field('character'), 'Holo');

    await reload();

    await waitFor(() => expect(field('character')).toHaveValue('Holo'));
  });
});

describe('a link with values', () => {
  test('fills the form and runs nothing', async () => {
    const { server } = await openPlayground('?endpoint=anilist-anime&p.query=Frieren');

    await waitFor(() => expect(field('query *')).toHaveValue('Frieren'));

    expect(window.location.search).toBe('?endpoint=anilist-anime');
    expect(sentUrls(server, 'anilist-anime')).toEqual([]);
  });

  test('is what Copy link copies', async () => {
    const { user } = await openPlayground('?endpoint=anilist-character');
    await user.type(field('character'), 'Holo');

    await user.click(screen.getByRole('button', { name: 'Copy link' }));
    await screen.findByText('Copied!');

    expect(await navigator.clipboard.readText()).toBe(
      `${window.location.origin}/api?endpoint=anilist-character&p.character=Holo`,
    );
  });
});

describe('an endpoint for adults', () => {
  test('asks for the age first; Cancel returns to the list', async () => {
    const { user } = await openPlayground('?endpoint=hanime');

    const dialog = await screen.findByRole('dialog', { name: 'Age Confirmation' });
    expect(dialog).toHaveTextContent('intended for adults (18+) only');
    expect(screen.queryByRole('heading', { level: 2, name: /^Hanime/ })).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));

    await waitFor(() => expect(window.location.search).toBe(''));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('opens after "I am 18+", once per visit', async () => {
    const { user } = await openPlayground('?endpoint=hanime');

    await user.click(await screen.findByRole('button', { name: 'I am 18+' }));
    expect(await screen.findByRole('heading', { level: 2, name: /^Hanime/ })).toBeVisible();
    await user.click(screen.getByRole('button', { name: /Kemono/ }));

    expect(await screen.findByRole('heading', { level: 2, name: /^Kemono/ })).toBeVisible();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the code of a call', () => {
  test('is shown in four languages, without the token', async () => {
    const { user } = await openPlayground('?endpoint=anilist-anime&p.query=O%27Hara', { as: 4242 });
    const url = `${window.location.origin}/public-api/anilist/anime?query=O%27Hara`;

    await user.click(screen.getByRole('button', { name: /^Code/ }));
    const code = () => screen.getByRole('tabpanel', { name: /curl|fetch|axios|Python/ });
    for (const [name, start] of [
      ['curl', `curl '${url}'`],
      ['fetch', `const response = await fetch('${url}'`],
      ['axios', `import axios from 'axios';`],
      ['Python', `import requests`],
    ] as const) {
      // One after the other, as tabs are pressed.
      await user.click(screen.getByRole('tab', { name }));
      expect(code().textContent).toContain(start);
      expect(code().textContent).toContain(url);
      expect(code().textContent).not.toMatch(/authorization|bearer/i);
      expect(code().textContent).not.toContain(localStorage.getItem('accessToken'));
    }
  });
});

describe('recent calls', () => {
  test('are the last 50, and fill the form without running', async () => {
    const calls = Array.from({ length: 60 }, (_call, index) => ({
      id: String(index),
      endpointId: 'anilist-character',
      values: { character: `Number ${index}` },
      status: 200,
      ms: 5,
      at: index,
    }));
    localStorage.setItem('nori_playground_calls', JSON.stringify(calls));
    const { user, server } = await openPlayground();

    await user.click(screen.getByRole('button', { name: /^Recent calls/ }));
    const list = entry('Recent calls');
    expect(within(list).getAllByRole('link')).toHaveLength(50);
    await user.click(within(list).getByRole('link', { name: /Number 7 / }));

    await waitFor(() => expect(field('character')).toHaveValue('Number 7'));
    expect(sentUrls(server, 'anilist-character')).toEqual([]);
    await user.click(within(list).getByRole('button', { name: 'Clear' }));
    expect(localStorage.getItem('nori_playground_calls')).toBeNull();
    expect(screen.getByText('What you run is listed here.')).toBeVisible();
    expect(screen.getByText('What you run is listed here.')).toHaveFocus();
  });

  test('list each run with its status', async () => {
    const { user, server } = await openPlayground('?endpoint=anilist-character&p.character=Holo');
    server.refuse(findWire('anilist-character'), { status: 200, body: { characters: [] } });
    await waitFor(() => expect(field('character')).toHaveValue('Holo'));

    await run(user);
    await screen.findByText('Success 200');
    await user.click(screen.getByRole('button', { name: /^Recent calls/ }));

    expect(
      within(entry('Recent calls')).getByRole('link', {
        name: /\/anilist\/character\?character=Holo ?Success 200/,
      }),
    ).toBeVisible();
  });

  test('of another tab are listed, too', async () => {
    const { user } = await openPlayground();
    await user.click(screen.getByRole('button', { name: /^Recent calls/ }));
    expect(screen.getByText('What you run is listed here.')).toBeVisible();

    const made = { id: '1', endpointId: 'anilist-anime', values: { query: 'Mushishi' }, at: 1 };
    act(() => {
      localStorage.setItem('nori_playground_calls', JSON.stringify([made]));
      window.dispatchEvent(new StorageEvent('storage', { key: 'nori_playground_calls' }));
    });

    expect(
      await within(entry('Recent calls')).findByRole('link', { name: /query=Mushishi ?No answer/ }),
    ).toBeVisible();
  });
});
