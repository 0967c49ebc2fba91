/** Accounts of other services that a person links: starting it, finishing it, and what is playing. */
import * as v from 'valibot';

import { endpoint, message, noAnswer, noInput, telegramId } from './endpoint.ts';

/** The services that can be linked. */
export const serviceIds = ['spotify', 'anilist'] as const;
export type ServiceId = (typeof serviceIds)[number];

/** What they are called, and the address that each one sends people back to. */
export const connectedServices = {
  spotify: { label: 'Spotify', returnPath: '/spotify-auth' },
  anilist: { label: 'AniList', returnPath: '/anilist-auth' },
} as const satisfies Record<ServiceId, unknown>;

const serviceId = v.picklist(serviceIds, 'There is no such service');

export const listConnections = endpoint({
  method: 'GET',
  path: '/connections',
  input: noInput,
  output: v.object({
    connections: v.array(
      v.object({
        service: serviceId,
        /** `unavailable`: whoever runs the server has not set the service up. */
        state: v.picklist(['linked', 'unlinked', 'unavailable']),
        /** What the person is called there. */
        account_name: v.optional(v.string()),
        linked_at: v.optional(v.string()),
        /** The variables that would set the service up. */
        missing: v.array(v.string()),
      }),
    ),
  }),
});
export type Connection = v.InferOutput<typeof listConnections.output>['connections'][number];

/** Where the person says yes; good once, and for ten minutes. */
export const startConnection = endpoint({
  method: 'POST',
  path: '/connections/:service',
  input: v.object({ service: serviceId }),
  output: v.object({ authorize_url: v.pipe(v.string(), v.url()) }),
});

/** Forgets the service's tokens. Neither service can be told so: the app stays in the person's list there. */
export const removeConnection = endpoint({
  method: 'DELETE',
  path: '/connections/:service',
  input: v.object({ service: serviceId }),
  output: noAnswer,
  status: 204,
});

const returned = v.object({
  code: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4000)),
  state: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
});

/** Asked without a session, too: the service may send the person back in another browser. */
export const finishSpotify = endpoint({
  method: 'GET',
  path: '/spotify/spotify/callback',
  input: returned,
  output: message,
});

export const finishAniList = endpoint({
  method: 'GET',
  path: '/anilist/callback',
  input: returned,
  output: message,
});

/** What means that nothing plays; 204 means the same. */
const nothingPlays = 'No track is currently playing.';

const duration = v.pipe(
  v.optional(v.nullable(v.number()), 0),
  v.transform((ms) => Math.max(0, ms ?? 0)),
);
const text = v.pipe(
  v.optional(v.nullable(v.string()), ''),
  v.transform((value) => value ?? ''),
);

const track = v.object({
  track: v.pipe(v.string(), v.nonEmpty()),
  artist: text,
  album: text,
  album_art_url: text,
  progress_ms: duration,
  duration_ms: duration,
  /** Absent on backends that tell only of what is being played. */
  is_playing: v.optional(v.boolean()),
});

/** What a person listens to; undefined when nothing plays. */
export const readNowPlaying = endpoint({
  method: 'GET',
  path: '/spotify/spotify/now-playing',
  /** The session says who asks; an ID of somebody else is refused. */
  input: v.object({ telegram_id: v.optional(telegramId) }),
  output: v.union([
    v.undefined(),
    track,
    v.pipe(
      v.object({ message: v.literal(nothingPlays) }),
      v.transform(() => undefined),
    ),
  ]),
});
export type NowPlaying = v.InferOutput<typeof track>;
