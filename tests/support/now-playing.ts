/** The now-playing page of a member whose server answers as a test wants. */
import { screen } from '@testing-library/react';
import { vi } from 'vitest';

import { readNowPlaying } from '#contract/endpoints/connections';

import { person } from './open-dashboard.ts';
import { renderApp } from './render-app.ts';

export const playingPath = '/spotify/now-playing';

export const track = {
  track: 'Night Drive',
  artist: 'The Lanterns',
  album: 'Neon Rivers',
  album_art_url: 'https://covers.example.org/neon-rivers.jpg',
  progress_ms: 84_000,
  duration_ms: 221_000,
  is_playing: true,
};

/** The page of a member, whose server answers this. */
export async function openCard(body: unknown = track, status = 200) {
  const app = await renderApp('/privacy-policy', { as: person });
  app.server.refuse(readNowPlaying, { status, body });
  app.goTo(playingPath);
  return { ...app, looks: () => app.server.requestsTo(readNowPlaying).length };
}

/** Time passes as it does, and by leaps when told to. Before the page is opened. */
export function holdTime(): void {
  vi.useFakeTimers({
    toFake: ['setInterval', 'clearInterval', 'Date'],
    now: Date.now(),
    shouldAdvanceTime: true,
  });
}

export const card = () => screen.findByRole('heading', { level: 2, name: 'Night Drive' });
