/** The video page with a film that a test plays: no browser of a test can. */
import { fireEvent, screen } from '@testing-library/react';
import { expect, vi } from 'vitest';

import { renderApp } from './render-app.ts';

export const videoPath = '/jav-auth';

/** What a video element of a browser does, as far as the player sees. */
export class Film {
  /** Whether the browser knows the stream. */
  isKnown = false;
  duration = 125.4;
  /** While the stream is not known: where it will begin. */
  time = 0;
  isPaused = true;
  error: unknown = null;
  loudness = 1;
  isMuted = false;
  readonly element: HTMLVideoElement;

  constructor(element: HTMLVideoElement) {
    this.element = element;
    const say = (name: string) => element.dispatchEvent(new Event(name));
    Object.defineProperties(element, {
      setAttribute: {
        value: (name: string, value: string) => {
          Element.prototype.setAttribute.call(element, name, value);
          if (name === 'src') {
            this.load();
          }
        },
      },
      error: { get: () => this.error },
      duration: { get: () => (this.isKnown ? this.duration : Number.NaN) },
      paused: { get: () => this.isPaused },
      currentTime: {
        get: () => this.time,
        set: (seconds: number) => {
          this.time = seconds;
          if (this.isKnown) {
            say('seeking');
            say('timeupdate');
            say('seeked');
          }
        },
      },
      volume: {
        get: () => this.loudness,
        set: (volume: number) => {
          this.loudness = volume;
          say('volumechange');
        },
      },
      muted: {
        get: () => this.isMuted,
        set: (isMuted: boolean) => {
          this.isMuted = isMuted;
          say('volumechange');
        },
      },
      play: {
        value: () => {
          this.isPaused = false;
          say('play');
          say('playing');
          return Promise.resolve();
        },
      },
      pause: {
        value: () => {
          this.isPaused = true;
          say('pause');
        },
      },
    });
  }

  /** It forgets the last stream, and whether that played. */
  private load(): void {
    this.isKnown = false;
    this.time = 0;
    this.isPaused = true;
    this.error = null;
    this.element.dispatchEvent(new Event('emptied'));
  }

  /** The browser has read the stream's beginning. */
  arrive(): void {
    this.isKnown = true;
    fireEvent(this.element, new Event('loadedmetadata'));
  }

  /** It has played up to here. */
  reach(seconds: number): void {
    this.time = seconds;
    fireEvent(this.element, new Event('timeupdate'));
  }

  /** The stream breaks off, and the browser pauses it. */
  fail(): void {
    this.error = { code: 2 };
    fireEvent(this.element, new Event('error'));
    if (!this.isPaused) {
      this.element.pause();
    }
  }
}

export const player = () => screen.findByRole('region', { name: 'Video player' });

export async function film(): Promise<Film> {
  const element = (await player()).querySelector('video');
  if (element === null) {
    throw new Error('There is no video');
  }
  return new Film(element);
}

/** The page with a film that can be played. */
export async function openFilm() {
  const app = await renderApp(videoPath);
  const shown = await film();
  shown.arrive();
  expect(await screen.findByText('00:00 / 02:05')).toBeVisible();
  return { ...app, film: shown };
}

/** happy-dom would fetch the stream. */
export function leaveStreamsAlone(): void {
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue(undefined);
}

export const press = (name: string) => screen.getByRole('button', { name });
