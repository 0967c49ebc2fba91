/** What a user listens to on Spotify, shown by a command. */
import { describe, expect, test } from 'vitest';

import { lookupTexts } from '#server/services/lookup-texts';
import { ann, dan, startGroup } from '#tests/command-group';
import { nightDrive } from '#tests/connection-services';
import { startStandIn, timeoutFor } from '#tests/stand-in';
import { type Answer } from '#tests/stand-in-server';
import { linkAccount } from '#tests/watching';

const url = 'https://open.spotify.com/track/1';
const playing = { ...nightDrive, item: { ...nightDrive.item, external_urls: { spotify: url } } };
const token = 'access-of-ann-at-spotify';

/** Spotify as its documentation says: 204 when nothing plays, 401 for a token that has ended. */
async function startListening({ timeoutMs }: { readonly timeoutMs?: number } = {}) {
  let now: unknown = playing;
  let isGood = true;
  const spotify = await startStandIn(({ method, path, headers }): Answer => {
    if (method === 'GET' && path.startsWith('/v1/me/player/currently-playing?')) {
      if (!isGood || headers.authorization !== `Bearer ${token}`) {
        return {
          status: 401,
          body: { error: { status: 401, message: 'The access token expired' } },
        };
      }
      return now === undefined ? { status: 204, body: '' } : { body: now };
    }
    return { status: 404, body: {} };
  });
  const group = await startGroup({
    ...(timeoutMs === undefined ? {} : { serviceTimeoutMs: timeoutMs }),
    variables: {
      SPOTIFY_CLIENT_ID: 'nori-at-spotify',
      SPOTIFY_ACCOUNTS_ROOT: spotify.url,
      SPOTIFY_API_ROOT: spotify.url,
      PUBLIC_URL: 'https://nori.example.org',
    },
  });
  await linkAccount(group.server, { telegramId: ann, service: 'spotify' }, token);
  return {
    ...group,
    spotify,
    play: (what: unknown) => {
      now = what;
    },
    revoke: () => {
      isGood = false;
    },
    lastButtons: () => {
      const message = group.api.messages.at(-1);
      return message && group.api.show(message)?.buttons;
    },
  };
}

describe('what is playing', () => {
  test.each(['/nowplaying', '/np'])('is shown with its cover and a link: %s', async (command) => {
    const group = await startListening();

    await group.says(ann, command);

    expect(group.api.callsTo('sendPhoto').at(-1)?.body).toMatchObject({
      photo: 'https://i.scdn.co/image/neon-rivers',
      caption: 'The Lanterns, Mira – Night Drive\nNeon Rivers',
      reply_markup: { inline_keyboard: [[{ text: lookupTexts.listen, url }]] },
    });
  });

  test('is text alone when Telegram does not get the cover', async () => {
    const group = await startListening();
    group.api.media.breakUrl('https://i.scdn.co/image/neon-rivers');

    await group.says(ann, '/np');

    expect(group.api.messages).toHaveLength(1);
    expect(group.lastText()).toBe('The Lanterns, Mira – Night Drive\nNeon Rivers');
  });

  test('may be a file of their own, of which Spotify knows little', async () => {
    const group = await startListening();
    group.play({ is_playing: true, item: { name: 'demo.mp3', album: null } });

    await group.says(ann, '/np');

    expect(group.lastText()).toBe('demo.mp3');
    expect(group.lastButtons()).toEqual([]);
  });

  test.each([
    ['nothing', undefined],
    ['a paused track', { ...playing, is_playing: false }],
    ['an advertisement', { is_playing: true, item: null }],
  ])('may be %s', async (_what, what) => {
    const group = await startListening();
    group.play(what);

    await group.says(ann, '/np');

    expect(group.lastText()).toBe('Nothing is playing.');
  });
});

describe('the link', () => {
  test('that was never made is offered', async () => {
    const group = await startListening();

    await group.says(dan, '/np');

    expect(group.lastText()).toBe(
      'You have not linked Spotify yet. You can do so in the dashboard.',
    );
    expect(group.lastButtons()).toEqual([['Go on in private']]);
    expect(group.spotify.calls).toEqual([]);
  });

  test('that has ended at Spotify is offered again', async () => {
    const group = await startListening();
    group.revoke();

    await group.says(ann, '/np');

    expect(group.lastButtons()).toEqual([['Go on in private']]);
  });
});

describe('Spotify', () => {
  test.each([
    ['down', { status: 503 }],
    ['slow', 'hang'],
    ['broken', 'page'],
  ] as const)('that is %s is said, and asked again the next time', async (_how, failure) => {
    const group = await startListening({ timeoutMs: timeoutFor(failure, 500) });
    group.spotify.fail('GET /v1/*', failure);
    await group.says(ann, '/np');
    expect(group.lastText()).toBe(
      'Spotify does not answer right now. Please try again in a moment.',
    );

    await group.says(ann, '/np');

    expect(group.lastText()).toContain('Night Drive');
  });

  test('that wants a pause is said', async () => {
    const group = await startListening();
    group.spotify.fail('GET /v1/*', { status: 429, headers: { 'Retry-After': '25' } });

    await group.says(ann, '/np');

    expect(group.lastText()).toBe(
      'Spotify is asked too often right now. Please try again in 25 seconds.',
    );
  });
});

test('without Spotify there is no such command', async () => {
  const { api, says } = await startGroup();

  await says(ann, '/np');

  expect(api.messages).toEqual([]);
});
