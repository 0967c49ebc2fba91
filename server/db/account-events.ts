/** Stores what happened to accounts. */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';

import { toUserLanguages, type UserLanguages } from './languages.ts';
import { type Tables } from './tables.ts';

type Row = Tables['account_events'];

/** A column of the user, read along with what is written. */
const readOfUser = <Name extends 'language' | 'language_code'>(
  eb: ExpressionBuilder<Tables, 'account_events'>,
  telegramId: number,
  name: Name,
) => eb.selectFrom('people').select(name).where('people.telegram_id', '=', telegramId).as(name);

/** `id` is the same for events that are one row together. */
type NewEvent = Omit<Row, 'times'>;

export function createAccountEventRepository(db: Kysely<Tables>) {
  return {
    /**
     * Adds an event, or counts it in the row of the same ID. Returns the languages of the user; undefined without an
     * account, and then nothing is added.
     */
    async add(event: NewEvent): Promise<UserLanguages | undefined> {
      const added = await db
        .insertInto('account_events')
        .columns(['id', 'telegram_id', 'at', 'kind', 'device', 'address_prefix', 'detail', 'times'])
        .expression((eb) =>
          eb
            .selectFrom('people')
            .select([
              eb.val(event.id).as('id'),
              'telegram_id',
              sql<number>`cast(${event.at} as bigint)`.as('at'),
              eb.val(event.kind).as('kind'),
              eb.val(event.device).as('device'),
              eb.val(event.address_prefix).as('address_prefix'),
              eb.val(event.detail).as('detail'),
              sql<number>`cast(1 as bigint)`.as('times'),
            ])
            .where('telegram_id', '=', event.telegram_id),
        )
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet({
            at: sql<number>`excluded.at`,
            device: sql<string>`excluded.device`,
            address_prefix: sql<string>`excluded.address_prefix`,
            times: sql<number>`account_events.times + 1`,
          }),
        )
        .returning((eb) => [
          readOfUser(eb, event.telegram_id, 'language'),
          readOfUser(eb, event.telegram_id, 'language_code'),
        ])
        .executeTakeFirst();
      return added && toUserLanguages(added);
    },

    /** The newest first. */
    list(telegramId: number, max: number): Promise<Row[]> {
      return db
        .selectFrom('account_events')
        .selectAll()
        .where('telegram_id', '=', telegramId)
        .orderBy('at', 'desc')
        .orderBy('id')
        .limit(max)
        .execute();
    },

    async removeBefore(time: number): Promise<void> {
      await db.deleteFrom('account_events').where('at', '<', time).execute();
    },
  };
}
