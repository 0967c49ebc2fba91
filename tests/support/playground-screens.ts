/** States of the playground. */
import { expect, pressIn, type Screen } from './e2e.ts';

export const playgroundScreens: Readonly<Record<string, Screen>> = {
  'the playground': {
    isMain: true,
    path: () => '/api',
    reach: (app) => expect(app.getByRole('heading', { name: 'API Playground' })).toBeAttached(),
  },
  'the form for speech': {
    path: () => '/api?endpoint=tts-synthesize',
    reach: (app) =>
      expect(app.getByRole('combobox', { name: 'language', exact: true })).toBeVisible(),
  },
  'a field of the playground that is missing': {
    path: () => '/api?endpoint=tk',
    reach: async (app) => {
      await pressIn(app.getByRole('textbox', { name: 'url *' }), 'Control+Enter');
      await expect(app.getByText('url is required')).toBeVisible();
    },
  },
  'an answer in the playground': {
    path: () => '/api?endpoint=anime-sfw',
    reach: async (app) => {
      await pressIn(app.getByRole('textbox', { name: 'character' }), 'Control+Enter');
      await expect(app.getByText('Success 200', { exact: true })).toBeVisible();
    },
  },
};
