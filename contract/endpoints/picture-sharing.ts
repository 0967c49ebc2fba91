/** Pictures in Telegram: sent to the user's own chat with the bot, shared to any chat, or posted as a story. */
import * as v from 'valibot';

import { endpoint } from './endpoint.ts';
import { jobKey } from './images.ts';
import { pictureFieldTexts } from './picture-texts.ts';

/** The capability of servers whose bot sends pictures to their users, and tells them when one is ready. */
export const pictureSending = 'pictures.send';
/** The capability of servers whose pictures Telegram can load: they can be shared to any chat, and be stories. */
export const pictureSharing = 'pictures.share';

const maxPictures = 16;

const unknown = pictureFieldTexts.unknownPicture;

/** The ID of a generation in the user's history. */
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,100}$/, unknown));

/** Which of its pictures, counted from 0. */
const picture = v.pipe(
  v.union([v.string(), v.number()], unknown),
  v.transform(Number),
  v.integer(unknown),
  v.minValue(0, unknown),
  v.maxValue(maxPictures - 1, unknown),
);

/**
 * Has the bot send a picture to the user: as a photo, or as a file just as it was made. Without `picture` all pictures of
 * the generation. The same `request_key` sends once. Refused with `bot_may_not_write` while the bot may not write to the
 * user.
 */
export const sendPicture = endpoint({
  method: 'POST',
  path: '/pictures/:id/send',
  input: v.object({
    id,
    picture: v.optional(picture),
    as: v.picklist(['photo', 'file']),
    /** Of files: leaves out what the picture was made with. */
    without_recipe: v.optional(v.boolean(), false),
    request_key: jobKey,
  }),
  /** `pending`: Telegram does not answer, and the bot tries again later. */
  output: v.object({ state: v.picklist(['sent', 'pending']) }),
});

/**
 * Prepares a message with a picture, which the user's client sends to a chat that they choose. Refused with
 * `telegram_refused` when Telegram does not prepare it.
 */
export const sharePicture = endpoint({
  method: 'POST',
  path: '/pictures/:id/share',
  input: v.object({ id, picture: v.optional(picture, 0) }),
  output: v.object({
    prepared_message_id: v.string(),
    /** ISO 8601 UTC. */
    expires_at: v.string(),
  }),
});

/** Addresses of a picture that need no session, and are valid for one to two days: as a JPEG, and as a story of 1080 × 1920. */
export const readPictureLinks = endpoint({
  method: 'GET',
  path: '/pictures/:id/links',
  input: v.object({ id, picture: v.optional(picture, 0) }),
  output: v.object({ photo_url: v.string(), story_url: v.string() }),
});

/**
 * Has the bot tell the user once when a job has ended: it sends the pictures, or why there are none. `ended`: there is
 * nothing to wait for. Refused with `bot_may_not_write` as above.
 */
export const notifyOfJob = endpoint({
  method: 'POST',
  path: '/generations/jobs/:job_key/notify',
  input: v.object({ job_key: jobKey }),
  output: v.object({ state: v.picklist(['waiting', 'ended']) }),
});

/** A recipe that the bot has read in a file which was sent to it, for a day. Its link is a secret that no one can guess. */
export const readSentRecipe = endpoint({
  method: 'GET',
  path: '/recipes/:link',
  input: v.object({ link: v.pipe(v.string(), v.regex(/^[\w-]{32,40}$/, unknown)) }),
  output: v.object({
    /** JSON, as in the files of pictures. */
    recipe: v.string(),
    /** The program that wrote it. */
    program: v.string(),
  }),
});
