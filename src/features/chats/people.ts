/** What the people are called who have changed something. */

type Person = { readonly telegram_id: string; readonly name: string };

/** The name; without one, the id that Telegram knows the person by. */
export function personName({ telegram_id, name }: Person): string {
  return name.trim() === '' ? `Telegram ID ${telegram_id}` : name;
}
