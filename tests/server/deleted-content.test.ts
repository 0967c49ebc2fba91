/** What is deleted from the database is not in its file any more. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { createBotInboxRepository } from '#server/db/bot-inbox';
import { migrate, openDatabase } from '#server/db/client';

test('of a handled message nothing is left in the file of the database', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'nori-inbox-'));
  const database = openDatabase({ dataDir });
  onTestFinished(async () => rmSync(dataDir, { recursive: true }));
  await migrate(database);
  const rows = createBotInboxRepository(database, 42);
  const words = (updateId: number) => `private words, ${'and more '.repeat(updateId * 20)}`;
  const ids = Array.from({ length: 30 }, (_, index) => index + 1);

  await rows.add(
    ids.map((updateId) => ({ updateId, chatId: 1, payload: words(updateId) })),
    { runner: 'this process', now: 0, leaseMs: 1 },
  );
  await rows.markHandled({ runner: 'this process', now: 1, updateIds: ids });
  await database.close();

  const files = readdirSync(dataDir).map((name) =>
    readFileSync(path.join(dataDir, name), 'latin1'),
  );
  expect(files.join('')).toContain('bot_inbox');
  expect(files.join('')).not.toContain('private words');
  expect(files.join('')).not.toContain('and more');
});
