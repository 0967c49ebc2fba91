/** What the catalogue knows of a command. */

export type Entry = {
  /** Also its name in links, so it stays what it is. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** One way to use it per line; `@bot` stands for the bot's own name. */
  readonly usage: string;
};
