/** The built site, held in memory. */
export type StaticSite = { readonly files: ReadonlyMap<string, unknown> };
