/** Kusa: a gallery of named styles. */
import * as v from 'valibot';

import { endpoint, noInput } from './endpoint.ts';

/** One style. `og_name` is its original name. */
const style = v.looseObject({
  id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  name: v.optional(v.nullable(v.string())),
  og_name: v.optional(v.nullable(v.string())),
  image_url: v.optional(v.nullable(v.string())),
});
export type WireStyle = v.InferOutput<typeof style>;

const list = v.array(v.unknown());

/** Invalid items are left out; `{ styles: { styles } }` is also taken with one level less. */
export const listKusaStyles = endpoint({
  method: 'GET',
  path: '/kusa/styles',
  input: noInput,
  output: v.pipe(
    v.union([v.looseObject({ styles: v.union([v.looseObject({ styles: list }), list]) }), list]),
    v.transform((body) => {
      const inner = Array.isArray(body) ? body : body.styles;
      return Array.isArray(inner) ? inner : inner.styles;
    }),
    v.transform((items) => ({ styles: { styles: items.flatMap(asStyle) } })),
  ),
});

function asStyle(item: unknown): readonly WireStyle[] {
  const parsed = v.safeParse(style, item);
  return parsed.success ? [parsed.output] : [];
}
