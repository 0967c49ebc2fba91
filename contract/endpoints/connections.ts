/** Linking accounts of other services: start and end of a link, removal, and the track that is playing. */
import * as v from 'valibot';

import { chatFieldTexts } from './chat-texts.ts';
import { endpoint, message, noAnswer, noInput, otpCode, telegramId } from './endpoint.ts';

/** The services that can be linked. */
export const serviceIds = ['spotify', 'anilist'] as const;
export type ServiceId = (typeof serviceIds)[number];

/** Each service's name, and the path to which it redirects the user back. */
export const connectedServices = {
  spotify: { label: 'Spotify', returnPath: '/spotify-auth' },
  anilist: { label: 'AniList', returnPath: '/anilist-auth' },
} as const satisfies Record<ServiceId, unknown>;

const serviceId = v.picklist(serviceIds, chatFieldTexts.unknownService);

export const listConnections = endpoint({
  method: 'GET',
  path: '/connections',
  input: noInput,
  output: v.object({
    connections: v.array(
      v.object({
        service: serviceId,
        /** `unavailable`: the operator has not set the service up. */
        state: v.picklist(['linked', 'unlinked', 'unavailable']),
        /** The user's name at the service. */
        account_name: v.optional(v.string()),
        linked_at: v.optional(v.string()),
        /** When the service ends the link, and the user has to link again. */
        ends_at: v.optional(v.string()),
        /** The environment variables that are missing to set the service up. */
        missing: v.array(v.string()),
      }),
    ),
  }),
});
export type Connection = v.InferOutput<typeof listConnections.output>['connections'][number];

/** Returns the service's page for consent. The address works once, within ten minutes. */
export const startConnection = endpoint({
  method: 'POST',
  path: '/connections/:service',
  input: v.object({ service: serviceId }),
  output: v.object({ authorize_url: v.pipe(v.string(), v.url()) }),
});

/** Deletes the service's tokens. Neither service can revoke them: the app stays in the user's list of apps there. */
export const removeConnection = endpoint({
  method: 'DELETE',
  path: '/connections/:service',
  input: v.object({ service: serviceId }),
  output: noAnswer,
  status: 204,
});

const state = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));
const returned = v.object({
  code: v.pipe(v.string(), v.nonEmpty(), v.maxLength(4000)),
  state,
});

/**
 * Linked, or on our server, without the session of the user who began: not linked yet. The bot has then sent that user a
 * code, with which this page alone can link the account.
 */
const finished = v.union([
  v.object({
    message: v.string(),
    translated: v.optional(v.string()),
    needs_code: v.literal(true),
    /** Proves that the service has sent the user back to this page. */
    confirmation: v.string(),
    /** Enough of the Telegram ID of the user who began to recognise it: •••789. */
    telegram_user: v.string(),
  }),
  message,
]);

/** Works without a session, as the service may redirect the user back in another browser. */
export const finishSpotify = endpoint({
  method: 'GET',
  path: '/spotify/spotify/callback',
  input: returned,
  output: finished,
});

export const finishAniList = endpoint({
  method: 'GET',
  path: '/anilist/callback',
  input: returned,
  output: finished,
});

/** Links the account with the code of the bot. Needs no session, as the page that needs it has none. */
export const confirmConnection = endpoint({
  method: 'POST',
  path: '/connections/:service/confirm',
  input: v.object({
    service: serviceId,
    state,
    confirmation: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
    otp_code: otpCode,
  }),
  output: message,
});

/** The message when nothing is playing; some backends answer 204 instead. */
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
  /** Absent on backends that return a track only while it is playing. */
  is_playing: v.optional(v.boolean()),
});

/** The track that the user is listening to; undefined when nothing is playing. */
export const readNowPlaying = endpoint({
  method: 'GET',
  path: '/spotify/spotify/now-playing',
  /** The server takes the user from the session, and refuses the ID of another user. */
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
