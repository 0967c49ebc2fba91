/** Reads Vite's manifest: which chunks a page needs, and when. */
import * as v from 'valibot';

const chunk = v.object({
  file: v.string(),
  name: v.optional(v.string(), ''),
  isEntry: v.optional(v.boolean(), false),
  imports: v.optional(v.array(v.string()), []),
  dynamicImports: v.optional(v.array(v.string()), []),
  css: v.optional(v.array(v.string()), []),
});
const manifest = v.record(v.string(), chunk);

/** Chunks by their name in the manifest (the path of the source). */
export type Manifest = v.InferOutput<typeof manifest>;

/** Throws when the text is not a manifest of Vite. */
export function readManifest(text: string): Manifest {
  return v.parse(manifest, JSON.parse(text));
}

/** A screen is a route's own chunk; another route's is not loaded with the page. */
const screenName = /-screen\.tsx$/;

/** The chunks that a visitor outside Telegram never loads. */
const telegramName = /\/(telegram\.ts|tab-bar\.tsx)$|@telegram-apps\/sdk/;

/** Names of the chunks that React needs to draw the page: entry and screen with all their imports. */
export function chunksBeforePaint(chunks: Manifest, screen: RegExp): ReadonlySet<string> {
  return reach(chunks, findStart(chunks, screen), ({ imports }) => imports);
}

/** Names of all chunks that the page may load: those for the first paint and what they load later, without other screens. */
export function chunksOfPage(
  chunks: Manifest,
  screen: RegExp,
  inTelegram: boolean,
): ReadonlySet<string> {
  return reach(chunks, findStart(chunks, screen), ({ imports, dynamicImports }) => [
    ...imports,
    ...dynamicImports.filter(
      (name) => !screenName.test(name) && (inTelegram || !telegramName.test(name)),
    ),
  ]);
}

function findStart(chunks: Manifest, screen: RegExp): string[] {
  return Object.keys(chunks).filter((name) => chunks[name]?.isEntry === true || screen.test(name));
}

function reach(
  chunks: Manifest,
  start: readonly string[],
  next: (chunk: Manifest[string]) => readonly string[],
): ReadonlySet<string> {
  const found = new Set(start);
  // Iterating over a set visits what is added meanwhile.
  for (const name of found) {
    const entry = chunks[name];
    for (const other of entry === undefined ? [] : next(entry)) {
      found.add(other);
    }
  }
  return found;
}
