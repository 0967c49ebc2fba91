/** The answers of the public API. Other services may add fields; the ones named here are always there. */
import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty());
/** Pages load it unchanged, so other protocols are not allowed. */
const link = v.pipe(v.string(), v.regex(/^https?:\/\//));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Fields that any answer may have. */
const sharedFields = {
  /** An example made by this server, because no source is connected. */
  is_demo: v.optional(v.boolean()),
  /** A sentence about the answer, for users. */
  note: v.optional(v.string()),
  /** The source of the answer: offline, anilist or upstream. */
  source: v.optional(v.string()),
};

const pictures = v.pipe(v.array(v.looseObject({ stream_url: link })), v.minLength(1));

/** One picture or several, as the source provides them. */
export const pictureAnswer = v.union([
  v.looseObject({ result: link, images: v.optional(pictures), ...sharedFields }),
  v.looseObject({ result: v.optional(link), images: pictures, ...sharedFields }),
]);

export const videosAnswer = v.looseObject({
  page: count,
  videos: v.array(v.looseObject({ title: text, cover: v.optional(link) })),
  ...sharedFields,
});

const character = v.looseObject({
  name: text,
  native_name: v.optional(v.string()),
  description: v.optional(v.string()),
  image: v.optional(link),
  site_url: v.optional(link),
});
export type Character = v.InferOutput<typeof character>;

const anime = v.looseObject({
  title: text,
  native_title: v.optional(v.string()),
  description: v.optional(v.string()),
  format: v.optional(v.string()),
  status: v.optional(v.string()),
  episodes: v.optional(count),
  year: v.optional(count),
  /** From 0 to 100. */
  score: v.optional(count),
  genres: v.optional(v.array(v.string())),
  cover: v.optional(link),
  site_url: v.optional(link),
});
export type Anime = v.InferOutput<typeof anime>;

export const charactersAnswer = v.looseObject({ characters: v.array(character), ...sharedFields });
export const animeAnswer = v.looseObject({ anime: v.array(anime), ...sharedFields });
export const waifuAnswer = v.looseObject({ waifu: character, ...sharedFields });

export const downloadAnswer = v.looseObject({
  /** The requested page. */
  url: link,
  title: v.optional(v.string()),
  media: v.array(
    v.looseObject({ type: v.picklist(['image', 'video', 'audio']), stream_url: link }),
  ),
  ...sharedFields,
});

export const speechAnswer = v.looseObject({ stream_url: link, ...sharedFields });

export const categoriesAnswer = v.looseObject({ categories: v.array(text), ...sharedFields });
export const voicesAnswer = v.looseObject({ characters: v.array(text), ...sharedFields });
