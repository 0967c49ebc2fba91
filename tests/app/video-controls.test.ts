/** The controls and keys of the player. A browser test checks that a film really plays. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { film, leaveStreamsAlone, openFilm, player, press, videoPath as path } from '#tests/film';
import { renderApp } from '#tests/render-app';

const volume = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Volume' });
const seek = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Seek' });
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Video ID' });

beforeEach(leaveStreamsAlone);

describe('the controls', () => {
  test('play and pause', async () => {
    const { film: shown, user } = await openFilm();

    await user.click(press('Play'));
    expect(shown.isPaused).toBe(false);

    await user.click(press('Pause'));
    expect(shown.isPaused).toBe(true);
    expect(press('Play')).toBeVisible();
  });

  test('show the time and change the position', async () => {
    const { film: shown } = await openFilm();

    shown.reach(65.9);
    expect(await screen.findByText('01:05 / 02:05')).toBeVisible();
    expect(seek()).toHaveAttribute('aria-valuetext', '01:05 of 02:05');

    fireEvent.change(seek(), { target: { value: '100' } });
    expect(shown.time).toBe(100);
    expect(await screen.findByText('01:40 / 02:05')).toBeVisible();
  });

  test('show more than 60 minutes, and zeros before the metadata has loaded', async () => {
    await renderApp(path);
    const shown = await film();
    expect(screen.getByText('00:00 / 00:00')).toBeVisible();
    expect(seek()).toBeDisabled();

    shown.duration = 6125;
    shown.arrive();

    expect(await screen.findByText('00:00 / 102:05')).toBeVisible();
  });

  test('change the volume from 0 to 1 in tenths, starting at 1', async () => {
    const { film: shown } = await openFilm();
    expect(volume()).toHaveValue('1');
    expect(volume()).toHaveAttribute('min', '0');
    expect(volume()).toHaveAttribute('max', '1');
    expect(volume()).toHaveAttribute('step', '0.1');

    fireEvent.change(volume(), { target: { value: '0.3' } });
    await waitFor(() => expect(volume()).toHaveValue('0.3'));
    expect(shown.element.volume).toBe(0.3);

    fireEvent.change(volume(), { target: { value: '0' } });
    expect(await screen.findByRole('button', { name: 'Unmute' })).toBeVisible();
  });

  test('mute and unmute', async () => {
    const { film: shown, user } = await openFilm();

    await user.click(press('Mute'));
    expect(shown.element.muted).toBe(true);
    await waitFor(() => expect(volume()).toHaveValue('0'));

    await user.click(press('Unmute'));
    expect(shown.element.muted).toBe(false);
    await waitFor(() => expect(volume()).toHaveValue('1'));
  });

  test('fill the page where full screen is not available, and Escape leaves it', async () => {
    const { user } = await openFilm();

    await user.click(press('Full screen'));
    const leave = await screen.findByRole('button', { name: 'Leave full screen' });
    expect(await player()).toHaveAttribute('data-filled', 'true');

    await user.keyboard('{Escape}');
    expect(await screen.findByRole('button', { name: 'Full screen' })).toBeVisible();
    expect(leave).toBe(press('Full screen'));
  });

  test.each([
    ['refuses', () => Promise.reject(new TypeError('Not allowed'))],
    ['does not answer within 700 ms', () => new Promise<void>(() => undefined)],
  ])('fill the page when the browser %s', async (_case, requestFullscreen) => {
    const { user } = await openFilm();
    Object.assign(await player(), { requestFullscreen });

    await user.click(press('Full screen'));

    expect(await screen.findByRole('button', { name: 'Leave full screen' })).toBeVisible();
    expect(await player()).toHaveAttribute('data-filled', 'true');
  });
});

test('full screen that starts after the user has left it ends at once', async () => {
  const { user } = await openFilm();
  const frame = await player();
  const exitFullscreen = vi.fn<() => Promise<void>>(() => Promise.resolve());
  Object.assign(document, { exitFullscreen });
  Object.assign(frame, { requestFullscreen: () => new Promise<void>(() => undefined) });
  await user.click(press('Full screen'));
  await user.click(await screen.findByRole('button', { name: 'Leave full screen' }));

  Object.defineProperty(document, 'fullscreenElement', { value: frame, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(document, 'fullscreenElement');
    Reflect.deleteProperty(document, 'exitFullscreen');
  });
  document.dispatchEvent(new Event('fullscreenchange'));

  expect(exitFullscreen).toHaveBeenCalledOnce();
  expect(press('Full screen')).toBeVisible();
});

describe('the keys', () => {
  test.each([' ', 'k', 'K'])('play and pause: "%s"', async (key) => {
    const { film: shown, user } = await openFilm();

    await user.keyboard(key);
    expect(shown.isPaused).toBe(false);
    await user.keyboard(key);
    expect(shown.isPaused).toBe(true);
  });

  test('arrows move by five seconds, and not past the ends', async () => {
    const { film: shown, user } = await openFilm();

    await user.keyboard('{ArrowLeft}');
    expect(shown.time).toBe(0);
    await user.keyboard('{ArrowRight}{ArrowRight}');
    expect(shown.time).toBe(10);
    shown.reach(124);
    await user.keyboard('{ArrowRight}');
    expect(shown.time).toBe(shown.duration);
  });

  test('arrows up and down change the volume, only inside the player', async () => {
    const { film: shown, user } = await openFilm();

    await user.keyboard('{ArrowDown}');
    expect(shown.element.volume).toBe(1);

    press('Play').focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(shown.element.volume).toBe(0.7);
    await user.keyboard('{ArrowUp}');
    expect(shown.element.volume).toBe(0.8);
  });

  test('M mutes and F fills', async () => {
    const { film: shown, user } = await openFilm();

    await user.keyboard('m');
    expect(shown.element.muted).toBe(true);
    await user.keyboard('f');
    expect(await screen.findByRole('button', { name: 'Leave full screen' })).toBeVisible();
  });

  test('type letters in a field, and press a focused button', async () => {
    const { film: shown, user } = await openFilm();

    await user.type(field(), 'km f');
    expect(field()).toHaveValue('90223km f');
    expect(shown.isPaused).toBe(true);
    expect(shown.element.muted).toBe(false);

    press('Mute').focus();
    await user.keyboard(' ');
    expect(shown.element.muted).toBe(true);
    expect(shown.isPaused).toBe(true);
  });

  test('with Ctrl belong to the browser', async () => {
    const { film: shown, user } = await openFilm();

    await user.keyboard('{Control>}k{/Control}');

    expect(shown.isPaused).toBe(true);
  });
});
