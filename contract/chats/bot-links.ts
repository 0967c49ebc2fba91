/** Links to the bot that both the page and the bot itself offer. */

/** The rights that the bot's commands use, by the names of Telegram's links; tags have no name there. */
const askedRights = [
  'delete_messages',
  'restrict_members',
  'invite_users',
  'pin_messages',
  'manage_topics',
] as const;

/**
 * Opens Telegram's own list of groups, which adds the bot with its rights in the same step. In a group that
 * has the bot already, it gives the rights. `bot` is the bot's own address.
 */
export const addBotLink = (bot: string): string =>
  `${bot}?startgroup=${addedPayload}&admin=${askedRights.join('+')}`;

/** What `/start` says in a group to which this link has added the bot. */
export const addedPayload = 'settings';

/** The start parameter that opens the first step of adding a group. */
export const setUpStartParam = 'setup';

const pictureLinks = ['picture', 'remix', 'recipe'] as const;

/**
 * What a link to a picture opens: the picture in its owner's history, or the form with its recipe; or with a recipe that
 * the bot has read in a file.
 */
export type PictureLink = (typeof pictureLinks)[number];

export const pictureStartParam = (what: PictureLink, generationId: string): string =>
  `${what}_${generationId}`;

/** What the start parameters of pictures look like. */
export const pictureStartParams = /^(picture|remix|recipe)_([\w-]{1,40})$/;

/** Which picture a start parameter opens, and how; undefined for others. */
export function readPictureStartParam(
  startParam: string,
): { readonly what: PictureLink; readonly generationId: string } | undefined {
  const [, named, generationId] = pictureStartParams.exec(startParam) ?? [];
  const what = pictureLinks.find((one) => one === named);
  return generationId === undefined || what === undefined ? undefined : { what, generationId };
}

/** Telegram's limit for what follows `?start=`; besides letters and digits it takes `_` and `-`. */
const maxPayloadLength = 64;

/** The start parameter by which the bot shows the rules of a chat in private. */
export const rulesPayload = (chatId: number): string => `rules_${chatId}`;

/** The start parameter by which the bot shows a note of a chat in private. */
export function notePayload(chatId: number, key: string): string {
  const before = `note_${chatId}_`;
  return before + encodeNoteKey(key).slice(0, maxPayloadLength - before.length);
}

/** Keys of notes have no capital letters, so that those stand for what Telegram does not take. */
function encodeNoteKey(key: string): string {
  const encoded = encodeURIComponent(key).replaceAll('%', 'Z');
  // The longest that fits beside the ID of any chat; of a longer one a number is left that no other note has.
  return encoded.length <= 40 ? encoded : `X${toNumber(key)}`;
}

/** A number of 52 bits for a text: two notes of a chat do not get the same by chance. */
function toNumber(text: string): string {
  let [high, low] = [0xde_ad_be_ef, 0x41_c6_ce_57];
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  return `${(high >>> 0).toString(36)}-${(low >>> 0).toString(36)}`;
}

/** What a start parameter shows; undefined for others. `isKey` is true for the key of the note that it means. */
export function readContentPayload(
  payload: string,
):
  | { readonly kind: 'rules'; readonly chatId: number }
  | { readonly kind: 'note'; readonly chatId: number; readonly isKey: (key: string) => boolean }
  | undefined {
  const [, kind, id] = /^(rules|note)_(-[1-9]\d{0,15})(?:_|$)/.exec(payload) ?? [];
  const chatId = Number(id);
  if (kind === 'note') {
    return { kind, chatId, isKey: (key) => notePayload(chatId, key) === payload };
  }
  return kind === 'rules' && payload === rulesPayload(chatId) ? { kind, chatId } : undefined;
}
