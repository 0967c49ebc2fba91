/** What the public API answers. Other services may say more than this; what is named here can be relied on. */
import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty());
/** Shown and played as it is, so that it must be a link of the web. */
const link = v.pipe(v.string(), v.regex(/^https?:\/\//));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What may stand in every answer. */
const label = {
  /** An example that was made on this server, because no source is connected. */
  is_demo: v.optional(v.boolean()),
  /** What is to be known about the answer, in a sentence. */
  note: v.optional(v.string()),
  /** Who answered: offline, anilist or upstream. */
  source: v.optional(v.string()),
};

const pictures = v.pipe(v.array(v.looseObject({ stream_url: link })), v.minLength(1));

/** One picture or several: which of the two is up to whoever answers. */
export const pictureAnswer = v.union([
  v.looseObject({ result: link, images: v.optional(pictures), ...label }),
  v.looseObject({ result: v.optional(link), images: pictures, ...label }),
]);

export const videosAnswer = v.looseObject({
  page: count,
  videos: v.array(v.looseObject({ title: text, cover: v.optional(link) })),
  ...label,
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
  /** Out of a hundred. */
  score: v.optional(count),
  genres: v.optional(v.array(v.string())),
  cover: v.optional(link),
  site_url: v.optional(link),
});
export type Anime = v.InferOutput<typeof anime>;

export const charactersAnswer = v.looseObject({ characters: v.array(character), ...label });
export const animeAnswer = v.looseObject({ anime: v.array(anime), ...label });
export const waifuAnswer = v.looseObject({ waifu: character, ...label });

export const downloadAnswer = v.looseObject({
  /** The page that was asked for. */
  url: link,
  title: v.optional(v.string()),
  media: v.array(
    v.looseObject({ type: v.picklist(['image', 'video', 'audio']), stream_url: link }),
  ),
  ...label,
});

export const speechAnswer = v.looseObject({ stream_url: link, ...label });

export const categoriesAnswer = v.looseObject({ categories: v.array(text), ...label });
export const voicesAnswer = v.looseObject({ characters: v.array(text), ...label });
