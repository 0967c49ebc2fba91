/** The most frequent calls send few statements to the database. */
import { afterAll, describe, expect, test } from 'vitest';

import { eventStatements, readStatements, statementBudgets } from '#scripts/statement-counts.ts';
import { openDatabase } from '#server/db/client';
import { startPostgres } from '#tests/postgres';
import { openTestDatabase } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const engines: Record<string, Parameters<typeof readStatements>[0]> = {
  SQLite: async (onStatement) => openDatabase({ onStatement }),
  ...(postgres ? { PostgreSQL: (onStatement) => openTestDatabase(postgres.url, onStatement) } : {}),
};

describe.each(Object.entries(engines))('on %s', (engine, open) => {
  test('a toggle, reading a chat and a login stay within their limits', async () => {
    const statements = await readStatements(open);

    for (const [call, budget] of Object.entries(statementBudgets)) {
      const max = budget + (engine === 'PostgreSQL' ? (eventStatements[call] ?? 0) : 0);
      const sent = new Map(Object.entries(statements)).get(call) ?? [];
      // A failure shows the texts of the statements.
      expect(sent.slice(max)).toEqual([]);
      expect(sent).not.toEqual([]);
    }
    expect(statements['PUT a setting']).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^begin/),
        expect.stringMatching(/^update "chats"/),
        expect.stringMatching(/^insert into "setting_changes"/),
        expect.stringMatching(/^commit/),
      ]),
    );
  });
});
