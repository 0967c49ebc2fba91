/** How far the updates of each partition of the message log are handled. */
import { sql } from 'kysely';
import * as v from 'valibot';

import { type Database } from './client.ts';

/** Numbers of messages in the log; those of one partition have gaps between them. */
export type Position = {
  readonly partition: number;
  /** Counts the processes that have taken the partition. What an earlier one writes is refused. */
  readonly epoch: number;
  /** All up to this are handled. */
  readonly handledTo: number;
  /** Handled, too, while an earlier one is not yet. */
  readonly handledAhead: readonly number[];
};

const stored = v.object({
  partition: v.number(),
  epoch: v.number(),
  handled_to: v.number(),
  handled_ahead: v.string(),
});

export function createBotPositionRepository({ db }: Pick<Database, 'db'>, botId: number) {
  return {
    /** Takes a partition of a log, which is named because another log counts anew. */
    async take(partition: number, log: string): Promise<Position> {
      const { rows } = await sql`
        insert into bot_positions as p (bot_id, partition, epoch, log, handled_to, handled_ahead)
        values (${botId}, ${partition}, 1, ${log}, 0, '[]')
        on conflict (bot_id, partition) do update set
          epoch = p.epoch + 1,
          handled_to = case when p.log = excluded.log then p.handled_to else 0 end,
          handled_ahead = case when p.log = excluded.log then p.handled_ahead else '[]' end,
          log = excluded.log
        returning partition, epoch, handled_to, handled_ahead`.execute(db);
      const [row] = v.parse(v.tuple([stored]), rows);
      return {
        partition,
        epoch: row.epoch,
        handledTo: row.handled_to,
        handledAhead: v.parse(v.array(v.number()), JSON.parse(row.handled_ahead)),
      };
    },

    /** Saves positions in one statement. Returns the partitions that this process still has. */
    async save(positions: readonly Position[]): Promise<ReadonlySet<number>> {
      const given = JSON.stringify(
        positions.map(({ partition, epoch, handledTo, handledAhead }) => ({
          partition,
          epoch,
          handled_to: handledTo,
          handled_ahead: JSON.stringify(handledAhead),
        })),
      );
      const { rows } = await sql`
        update bot_positions as p set handled_to = g.handled_to, handled_ahead = g.handled_ahead
        from jsonb_to_recordset(${given}::jsonb)
          as g (partition bigint, epoch bigint, handled_to bigint, handled_ahead text)
        where p.bot_id = ${botId} and p.partition = g.partition and p.epoch = g.epoch
        returning p.partition`.execute(db);
      const saved = v.parse(v.array(v.object({ partition: v.number() })), rows);
      return new Set(saved.map(({ partition }) => partition));
    },
  };
}
