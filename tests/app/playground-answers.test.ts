/** The playground shows an answer, or that there is none. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { field, openPlayground, run, sentUrls, findWire } from '#tests/playground';

describe('an answer', () => {
  test('shows its status, time, size and formatted JSON', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), {
      status: 200,
      body: { id: 1, tags: ['a', 'b'], none: {} },
    });

    await run(user);

    expect(await screen.findByText('Success 200')).toBeVisible();
    expect(screen.getByText(/^\d+ ms$/)).toBeVisible();
    expect(screen.getByText(/^\d+ B$/)).toBeVisible();
    const body = screen.getByRole('region', { name: 'Body of the answer' });
    expect([...body.querySelectorAll('code')].map((line) => line.textContent)).toEqual([
      '{',
      '  "id": 1,',
      '  "tags": [',
      '    "a",',
      '    "b"',
      '  ],',
      '  "none": {}',
      '}',
    ]);
    expect(screen.queryByRole('tab', { name: 'Preview' })).toBeNull();
  });

  test('is copied, and downloaded under the name of the endpoint', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), { status: 200, body: { id: 1 } });
    const saved: { name: string; href: string }[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
      this: HTMLAnchorElement,
    ) {
      saved.push({ name: this.download, href: this.href });
    });
    await run(user);
    await screen.findByText('Success 200');

    await user.click(screen.getByRole('button', { name: 'Copy' }));
    await screen.findByText('Copied!');
    expect(await navigator.clipboard.readText()).toBe('{\n  "id": 1\n}');
    await user.click(screen.getByRole('button', { name: 'Download' }));

    expect(saved[0]?.name).toBe('anime-sfw.json');
    expect(saved[0]?.href).toMatch(/^blob:/);
  });

  test('that is a refusal shows an error with the server’s message to copy', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), {
      status: 404,
      body: { detail: 'There is no such name.' },
    });

    await run(user);

    expect(await screen.findByText('Error 404')).toBeVisible();
    const box = screen.getByRole('alert');
    expect(box).toHaveTextContent('There is no such name.');
    await user.click(within(box).getByRole('button', { name: 'Copy the error' }));
    await screen.findByText('Copied!');
    expect(await navigator.clipboard.readText()).toBe('There is no such name.');
  });

  test('that is not JSON is shown as text', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), { status: 502, body: '<h1>Bad gateway</h1>' });

    await run(user);

    expect(await screen.findByText('Error 502')).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('Request failed');
    expect(screen.getByText('<h1>Bad gateway</h1>')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
  });

  test('with a picture has a preview, which shows an error when the picture is gone', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), {
      status: 200,
      body: { result: 'https://pictures.example.org/1.png' },
    });
    await run(user);

    await user.click(await screen.findByRole('tab', { name: 'Preview' }));
    const picture = screen.getByRole('img', { name: 'Answer: Anime picture (SFW)' });
    expect(picture).toHaveAttribute('src', 'https://pictures.example.org/1.png');
    fireEvent.error(picture);

    expect(await screen.findByText('The image could not be loaded.')).toBeVisible();
  });

  test('with a list of pictures shows the first', async () => {
    const { user, server } = await openPlayground('?endpoint=anime-pixiv');
    server.refuse(findWire('anime-pixiv'), {
      status: 200,
      body: { images: [{ stream_url: 'https://pictures.example.org/1.png' }, { stream_url: 'x' }] },
    });
    await run(user);

    await user.click(await screen.findByRole('tab', { name: 'Preview' }));

    expect(screen.getByRole('img', { name: 'Answer: Pixiv' })).toHaveAttribute(
      'src',
      'https://pictures.example.org/1.png',
    );
  });

  test('with speech has controls to play it; links of other protocols are ignored', async () => {
    const { user, server } = await openPlayground('?endpoint=tts-synthesize');
    const speech = findWire('tts-synthesize');
    server.refuse(speech, {
      status: 200,
      body: { stream_url: 'https://voices.example.org/1.wav' },
    });
    await run(user);

    await user.click(await screen.findByRole('tab', { name: 'Preview' }));
    const sound = screen.getByLabelText('Answer: Synthesize speech');
    expect(sound).toHaveAttribute('src', 'https://voices.example.org/1.wav');
    expect(sound).toHaveAttribute('controls');
    server.refuse(speech, { status: 200, body: { stream_url: 'javascript:alert(1)' } });
    await run(user);

    await waitFor(() => expect(screen.queryByRole('tab', { name: 'Preview' })).toBeNull());
  });

  test('that is a picture itself is shown, and has no text', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), {
      status: 200,
      body: 'bytes of a picture',
      headers: { 'Content-Type': 'image/png' },
    });
    await run(user);

    await screen.findByText('Success 200');
    expect(screen.queryByText('bytes of a picture')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Preview' }));

    const picture = screen.getByRole('img', { name: 'Answer: Anime picture (SFW)' });
    expect(picture).toHaveAttribute('src', expect.stringMatching(/^blob:/));
  });

  test('of an endpoint for adults is blurred until the user reveals it', async () => {
    const { user, server } = await openPlayground('?endpoint=anime-kemono');
    await user.click(await screen.findByRole('button', { name: 'I am 18+' }));
    server.refuse(findWire('anime-kemono'), {
      status: 200,
      body: { images: [{ stream_url: 'https://pictures.example.org/1.png' }] },
    });
    await run(user);
    await user.click(await screen.findByRole('tab', { name: 'Preview' }));

    await user.click(screen.getByRole('button', { name: 'Show the image' }));

    expect(screen.getByRole('img', { name: 'Answer: Kemono' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show the image' })).toBeNull();
  });

  test('shows its headers in a section that opens', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), {
      status: 200,
      body: {},
      headers: { 'X-Cache': 'HIT from here' },
    });
    await run(user);

    const heading = await screen.findByRole('button', { name: /^Headers ?2$/ });
    expect(screen.queryByText('HIT from here')).toBeNull();
    await user.click(heading);

    const panel = within(screen.getByRole('region', { name: /^Headers/ }));
    expect(panel.getByText('x-cache')).toBeVisible();
    expect(panel.getByText('HIT from here')).toBeVisible();
    expect(
      panel.getByText('Browsers show only the headers that the server lets a page read.'),
    ).toBeVisible();
  });

  test('is folded and searched', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), {
      status: 200,
      body: { first: { name: 'Holo' }, second: { name: 'holograph' } },
    });
    await run(user);
    const body = await screen.findByRole('region', { name: 'Body of the answer' });

    await user.click(screen.getByRole('button', { name: 'Fold all' }));
    expect([...body.querySelectorAll('code')].map((line) => line.textContent)).toEqual([
      '{',
      '  "first": { … },',
      '  "second": { … }',
      '}',
    ]);
    await user.type(screen.getByRole('searchbox', { name: 'Search the answer' }), 'HOLO');
    expect(await screen.findByText('1 of 2')).toBeVisible();
    await user.keyboard('{Enter}{Enter}');

    expect(screen.getByText('2 of 2')).toBeVisible();
    // The marks are deferred.
    await waitFor(() =>
      expect([...body.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual([
        'Holo',
        'holo',
      ]),
    );
  });

  test('of more than 2,000 lines renders only those in view', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), {
      status: 200,
      body: Array.from({ length: 30_000 }, (_row, id) => ({ id })),
    });

    await run(user);

    expect(await screen.findByText('90,002 lines')).toBeVisible();
    const body = screen.getByRole('region', { name: 'Body of the answer' });
    expect(body.querySelectorAll('code').length).toBeLessThan(150);
    expect(body.querySelector('code')?.textContent).toBe('[');
  });
});

describe('no answer', () => {
  test('after 30 seconds shows a timeout', async () => {
    const { user, server } = await openPlayground();
    server.hang(findWire('anime-sfw'));
    const clock = vi.spyOn(globalThis, 'setTimeout');
    await run(user);
    await waitFor(() => expect(sentUrls(server, 'anime-sfw')).toHaveLength(1));
    expect(screen.getByRole('button', { name: 'Executing...' })).toBeDisabled();
    expect(screen.queryByRole('alert')).toBeNull();

    const alarms = clock.mock.calls.filter(([, delay]) => delay === 30_000);
    expect(alarms).toHaveLength(1);
    for (const [ring] of alarms) {
      ring();
    }

    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Request timed out. Please try again.',
    );
  });

  test('is cancelled, and the request can be sent again', async () => {
    const { user, server } = await openPlayground();
    const release = server.hang(findWire('anime-sfw'));
    await run(user);
    await waitFor(() => expect(sentUrls(server, 'anime-sfw')).toHaveLength(1));

    await user.click(screen.getAllByRole('button', { name: 'Cancel' })[0]!);
    expect(await screen.findByText('Cancelled. Nothing was answered.')).toBeVisible();
    release();
    await run(user);

    expect(await screen.findByText('Success 200')).toBeVisible();
  });

  test('is cancelled by Escape, which does nothing when nothing runs', async () => {
    const { user, server } = await openPlayground();
    const cancelled = 'Cancelled. Nothing was answered.';
    await user.click(field('character'));
    await user.keyboard('{Escape}');
    expect(screen.queryByText(cancelled)).toBeNull();
    server.hang(findWire('anime-sfw'));
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(sentUrls(server, 'anime-sfw')).toHaveLength(1));
    await screen.findByRole('button', { name: 'Executing...' });

    await user.keyboard('{Escape}');

    expect(await screen.findByText(cancelled)).toBeVisible();
  });

  test('without a network shows an error', async () => {
    const { user, server } = await openPlayground();
    server.drop(findWire('anime-sfw'));

    await user.click(field('character'));
    await user.keyboard('{Control>}{Enter}{/Control}');

    expect(await screen.findByRole('alert')).toHaveTextContent('Request failed');
  });
});
