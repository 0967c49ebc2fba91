/** The video page: its texts, the token, the stream, and their errors. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';

import { readVideoToken } from '#contract/endpoints/player';
import { film, leaveStreamsAlone, openFilm, player, press, videoPath as path } from '#tests/film';
import { renderApp } from '#tests/render-app';

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Video ID' });
const info = (term: string) => {
  const details = screen.getByText(term, { selector: 'dt' }).nextElementSibling;
  return details?.textContent;
};

beforeEach(leaveStreamsAlone);

describe('the token', () => {
  test('is fetched when the page opens, for the first video', async () => {
    const { server } = await renderApp(path);

    expect(
      await screen.findByRole('heading', { level: 1, name: 'JAV Video Player' }),
    ).toBeVisible();
    const { element } = await film();

    expect(field()).toHaveValue('90223');
    expect(field()).toHaveAttribute('placeholder', 'Enter video ID (e.g., 90223)');
    expect(server.requestsTo(readVideoToken).map(({ url }) => url.pathname)).toEqual([
      '/backend/jav/90223/token',
    ]);
    expect(element.getAttribute('src')).toMatch(/^\/backend\/jav\/90223\/stream\?token=[\w-]+$/);
  });

  test('is hidden until the user asks for it: then its first 20 characters and the stream URL', async () => {
    const app = await renderApp('/privacy-policy');
    app.server.refuse(readVideoToken, {
      status: 200,
      body: {
        success: true,
        token: 'abcdefghijklmnopqrstuvwxyz',
        stream_url: '/jav/90223/stream?token=abcdefghijklmnopqrstuvwxyz&signature=secret',
      },
    });
    app.goTo(path);
    await player();

    expect(info('Video ID')).toBe('90223');
    expect(info('Token')).toBe('••••••••');
    expect(info('Stream URL')).toBe('/backend/jav/90223/stream?token=••••••••&signature=••••••••');
    expect(document.body.textContent).not.toMatch(/abcdef|secret/);

    await app.user.click(press('Show the token'));
    expect(info('Token')).toBe('abcdefghijklmnopqrst...');
    expect(info('Stream URL')).toBe(
      '/backend/jav/90223/stream?token=abcdefghijklmnopqrstuvwxyz&signature=secret',
    );

    await app.user.click(press('Hide the token'));
    expect(document.body.textContent).not.toMatch(/abcdef|secret/);
  });

  test('is hidden also where the path of the stream holds it', async () => {
    const app = await renderApp('/privacy-policy');
    app.server.refuse(readVideoToken, {
      status: 200,
      body: { success: true, token: 'abc/def', stream_url: '/streams/abc%2Fdef/film' },
    });
    app.goTo(path);
    await player();

    expect(info('Stream URL')).toBe('/backend/streams/••••••••/film');
  });

  test('is fetched again for another video, with the ID trimmed', async () => {
    const { user, server } = await renderApp(path);
    await player();

    await user.clear(field());
    expect(press('Load Video')).toBeDisabled();
    await user.type(field(), '   ');
    expect(press('Load Video')).toBeDisabled();
    await user.type(field(), ' 777 {Enter}');

    await waitFor(() => expect(info('Video ID')).toBe('777'));
    expect(server.requestsTo(readVideoToken).map(({ url }) => url.pathname)).toEqual([
      '/backend/jav/90223/token',
      '/backend/jav/777/token',
    ]);
  });

  test('is not fetched twice at the same time', async () => {
    const app = await renderApp('/privacy-policy');
    const release = app.server.hang(readVideoToken);
    app.goTo(path);

    expect(await screen.findByText('Loading video...')).toBeVisible();
    expect(press('Load Video')).toBeDisabled();
    await app.user.type(field(), '{Enter}');
    expect(app.server.requestsTo(readVideoToken)).toHaveLength(1);

    release();
    await player();
    expect(press('Load Video')).toBeEnabled();
  });

  test.each([
    {
      status: 500,
      body: { detail: 'Not today.' },
      texts: ['HTTP error! status: 500', 'Not today.'],
    },
    { status: 404, body: '<h1>Nothing</h1>', texts: ['HTTP error! status: 404'] },
    { status: 200, body: { success: false }, texts: ['Failed to get token'] },
    { status: 200, body: { success: true }, texts: ['Failed to get token'] },
    { status: 200, body: 'welcome', texts: ['Failed to fetch token'] },
  ])('is refused: $status, $body', async ({ status, body, texts }) => {
    const app = await renderApp('/privacy-policy');
    app.server.refuse(readVideoToken, { status, body });

    app.goTo(path);

    const alert = within(await screen.findByRole('alert'));
    for (const text of texts) {
      expect(alert.getByText(text)).toBeVisible();
    }
    expect(screen.queryByRole('region', { name: 'Video player' })).toBeNull();
    expect(screen.queryByText('Video information')).toBeNull();
  });

  test('cannot be fetched without a network, and can be fetched again', async () => {
    const app = await renderApp('/privacy-policy');
    app.server.drop(readVideoToken);
    app.goTo(path);
    expect(await screen.findByText('Failed to fetch token')).toBeVisible();

    app.server.heal(readVideoToken);
    await app.user.click(press('Load Video'));

    expect(await player()).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the stream', () => {
  test('that cannot be loaded shows an error, and can be loaded again', async () => {
    const { user, server } = await renderApp(path);

    (await film()).fail();

    expect(await screen.findByText('Failed to load video stream')).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Video player' })).toBeNull();
    expect(server.requestsTo(readVideoToken)).toHaveLength(1);

    await user.click(press('Load Video'));
    expect(await player()).toBeVisible();
    expect(screen.queryByText('Failed to load video stream')).toBeNull();
  });

  test('that breaks off continues with a new token at the same position', async () => {
    const { film: shown, user, server } = await openFilm();
    const first = shown.element.getAttribute('src');
    await user.click(press('Play'));
    shown.reach(61);

    shown.fail();
    await waitFor(() => expect(shown.element.getAttribute('src')).not.toBe(first));
    shown.arrive();

    expect(await screen.findByText('01:01 / 02:05')).toBeVisible();
    expect(shown.isPaused).toBe(false);
    expect(server.requestsTo(readVideoToken)).toHaveLength(2);
  });

  test('that breaks off follows what the user pressed while it was reopened', async () => {
    const { film: shown, user, server } = await openFilm();
    const first = shown.element.getAttribute('src');
    const release = server.hang(readVideoToken);

    shown.fail();
    await user.click(press('Play'));
    fireEvent.change(screen.getByRole('slider', { name: 'Seek' }), { target: { value: '30' } });
    release();
    await waitFor(() => expect(shown.element.getAttribute('src')).not.toBe(first));
    shown.arrive();

    expect(await screen.findByText('00:30 / 02:05')).toBeVisible();
    expect(shown.isPaused).toBe(false);
  });

  test('that breaks off continues where the user moved the slider meanwhile', async () => {
    const { film: shown, server } = await openFilm();
    const first = shown.element.getAttribute('src');
    shown.fail();
    await waitFor(() => expect(shown.element.getAttribute('src')).not.toBe(first));

    const slider = screen.getByRole('slider', { name: 'Seek' });
    expect(slider).toBeEnabled();
    fireEvent.change(slider, { target: { value: '30' } });
    expect(screen.getByText('00:30 / 02:05')).toBeVisible();
    shown.arrive();

    expect(await screen.findByText('00:30 / 02:05')).toBeVisible();
    expect(server.requestsTo(readVideoToken)).toHaveLength(2);
  });

  test('that breaks off stays paused when the user has paused it meanwhile', async () => {
    const { film: shown, user, server } = await openFilm();
    const first = shown.element.getAttribute('src');
    await user.click(press('Play'));
    const release = server.hang(readVideoToken);

    shown.fail();
    await user.click(await screen.findByRole('button', { name: 'Play' }));
    await user.click(await screen.findByRole('button', { name: 'Pause' }));
    release();
    await waitFor(() => expect(shown.element.getAttribute('src')).not.toBe(first));
    shown.arrive();

    expect(await screen.findByRole('button', { name: 'Play' })).toBeVisible();
    expect(shown.isPaused).toBe(true);
  });

  test('that breaks off twice at the same position has failed', async () => {
    const { film: shown, server } = await openFilm();
    const first = shown.element.getAttribute('src');
    shown.reach(61);
    shown.fail();
    await waitFor(() => expect(shown.element.getAttribute('src')).not.toBe(first));

    shown.fail();

    expect(await screen.findByText('Failed to load video stream')).toBeVisible();
    expect(server.requestsTo(readVideoToken)).toHaveLength(2);
  });

  test('that breaks off without a new token has failed', async () => {
    const { film: shown, server } = await openFilm();
    server.drop(readVideoToken);
    shown.reach(61);

    shown.fail();

    expect(await screen.findByText('Failed to load video stream')).toBeVisible();
  });

  test('is closed when the page is left', async () => {
    const { film: shown, goTo } = await openFilm();

    goTo('/privacy-policy');
    await screen.findByRole('heading', { name: 'Privacy Policy' });

    await waitFor(() => expect(shown.element).not.toHaveAttribute('src'));
    expect(shown.element.autoplay).toBe(false);
  });
});
