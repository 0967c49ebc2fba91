/** The playground where something cannot be copied, downloaded, played or shown in full. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { field, openPlayground, run, stayAt, findWire } from '#tests/playground';

const address = window.location.origin;
afterEach(() => stayAt(address));

describe('a file inside Telegram', () => {
  const openInside = async (origin: string) => {
    stayAt(origin);
    const app = await openPlayground('?endpoint=anilist-anime&p.query=Holo', {
      launch: { telegramId: 4242 },
    });
    await waitFor(() => expect(field('query *')).toHaveValue('Holo'));
    return app;
  };
  const wire = findWire('anilist-anime');
  /** The action is on Telegram's main button. */
  const runInside = async ({ bridge }: Awaited<ReturnType<typeof openPlayground>>) => {
    await waitFor(() =>
      expect(bridge?.sent).toContainEqual(
        expect.objectContaining({
          name: 'web_app_setup_main_button',
          data: expect.objectContaining({ text: 'Execute Request', is_visible: true }),
        }),
      ),
    );
    bridge?.emit('main_button_pressed');
  };
  const download = () => screen.findByRole('button', { name: 'Download' });
  const refusal = 'The file could not be saved here. Copy the answer instead.';

  test('is downloaded by Telegram from the URL of the request', async () => {
    const app = await openInside('https://nori.example.org');
    app.server.refuse(wire, { status: 200, body: { anime: [] } });
    await runInside(app);

    await app.user.click(await download());

    await waitFor(() =>
      expect(app.bridge?.sent).toContainEqual({
        name: 'web_app_request_file_download',
        data: {
          url: 'https://nori.example.org/public-api/anilist/anime?query=Holo&download=1',
          file_name: 'anilist-anime.json',
        },
      }),
    );
    expect(
      screen.getByText(
        'Telegram fetches the file anew: what it holds may differ from this answer.',
      ),
    ).toBeVisible();
    expect(screen.queryByText(refusal)).toBeNull();
  });

  test('that Telegram refuses shows that it was not saved', async () => {
    const app = await openInside('https://nori.example.org');
    if (app.bridge) {
      app.bridge.answers['web_app_request_file_download'] = () => [
        'file_download_requested',
        { status: 'cancelled' },
      ];
    }
    app.server.refuse(wire, { status: 200, body: { anime: [] } });
    await runInside(app);

    await app.user.click(await download());

    expect(await screen.findByText(refusal)).toBeVisible();
  });

  test('without HTTPS, which Telegram does not accept, cannot be saved', async () => {
    const app = await openInside('http://localhost:3000');
    app.server.refuse(wire, { status: 200, body: { anime: [] } });
    await runInside(app);

    await app.user.click(await download());

    expect(await screen.findByText(refusal)).toBeVisible();
  });

  test('is not offered for a refusal', async () => {
    const app = await openInside('https://nori.example.org');
    app.server.refuse(wire, { status: 404, body: { detail: 'Nothing was found.' } });
    await runInside(app);

    await screen.findByText('Error 404');

    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull();
  });
});

test('an answer that the clipboard refuses is not shown as copied', async () => {
  const { user, server } = await openPlayground();
  server.refuse(findWire('anime-sfw'), { status: 200, body: { id: 1 } });
  await run(user);
  await screen.findByText('Success 200');
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
  Object.assign(document, { execCommand: () => false });

  await user.click(screen.getByRole('button', { name: 'Copy' }));

  expect(await screen.findByText('Could not copy')).toBeVisible();
  expect(screen.queryByText('Copied!')).toBeNull();
  await waitFor(() => expect(screen.queryByText('Could not copy')).toBeNull());
});

test('speech that cannot be played shows an error, and can be opened in a tab', async () => {
  const { user, server } = await openPlayground('?endpoint=tts-synthesize');
  server.refuse(findWire('tts-synthesize'), {
    status: 200,
    body: { stream_url: 'https://voices.example.org/1.wav' },
  });
  const tab = vi.spyOn(window, 'open').mockReturnValue(null);
  await run(user);
  await user.click(await screen.findByRole('tab', { name: 'Preview' }));

  fireEvent.error(screen.getByLabelText('Answer: Synthesize speech'));

  const notice = await screen.findByRole('alert');
  expect(notice).toHaveTextContent('The audio could not be loaded.');
  await user.click(within(notice).getByRole('button', { name: 'Open it by itself' }));
  expect(tab).toHaveBeenCalledWith(
    'https://voices.example.org/1.wav',
    '_blank',
    'noopener,noreferrer',
  );
});

test('an answer without text says so', async () => {
  const { user, server } = await openPlayground();
  server.refuse(findWire('anime-sfw'), { status: 200, body: '' });

  await run(user);

  expect(await screen.findByText('The answer has no text.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Copy' })).toBeNull();
});

describe('a very long text', () => {
  test('that is not JSON is cut after 100,000 characters, with the number of the rest', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), { status: 200, body: 'a'.repeat(123_456) });

    await run(user);

    expect(await screen.findByText('… and 23,456 characters more')).toBeVisible();
    const body = screen.getByRole('region', { name: 'Body of the answer' });
    expect(body.textContent).toHaveLength(100_000);
  });

  test('of 100,000 characters is shown in full', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), { status: 200, body: 'a'.repeat(100_000) });

    await run(user);

    const body = await screen.findByRole('region', { name: 'Body of the answer' });
    expect(body.textContent).toHaveLength(100_000);
    expect(screen.queryByText(/characters more/)).toBeNull();
  });

  test('on one line of JSON is cut, too', async () => {
    const { user, server } = await openPlayground();
    server.refuse(findWire('anime-sfw'), { status: 200, body: { long: 'a'.repeat(20_000) } });

    await run(user);

    expect(await screen.findByText(/^… and [\d,]+ characters more$/)).toBeVisible();
  });
});

test('Reset restores the initial values', async () => {
  const { user } = await openPlayground();
  await user.clear(field('character'));
  await user.type(field('character'), 'Totoro');
  expect(field('character')).toHaveValue('Totoro');

  await user.click(screen.getByRole('button', { name: 'Reset' }));

  expect(field('character')).toHaveValue('Hatsune Miku');
});
