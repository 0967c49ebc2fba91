/** A command in the catalogue. */

export type Entry = {
  /** Used in links, so it must not change. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** One way to use it per line; `@bot` is replaced by the bot's name. */
  readonly usage: string;
};
