/** Links of a backend on another origin than the page, which the build names. */
import { afterEach, expect, test, vi } from 'vitest';

import { remembered } from '#tests/remembered';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test.each([
  ['a relative link', '/media/1.png', 'https://nori.example/media/1.png'],
  ['a whole link', 'https://pictures.example/1.png', 'https://pictures.example/1.png'],
])('%s to a picture leads to where the backend means', async (_what, imageUrl, address) => {
  vi.stubEnv('VITE_BACKEND_URL', 'https://nori.example/backend');
  vi.resetModules();
  const { card, openHistory } = await import('#tests/history');

  await openHistory([remembered(1, { imageUrl, thumbnailUrl: imageUrl })]);

  const picture = (await card('A heron at dusk, number 1')).getByRole('img');
  expect(picture).toHaveAttribute('src', address);
});
