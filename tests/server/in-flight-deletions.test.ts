/** Deletions that are saved before Telegram has answered: each row is removed after its answer. */
import { expect, test } from 'vitest';

import { type DeletionResult, createInFlightDeletions } from '#services/moderation';

const deletion = {
  chatId: -1,
  messageId: 7,
  setting: 'photo_blocked',
  senderId: undefined,
  giveUpAt: 0,
};

/** Rows as in a database; saving takes until `isSaved`. */
function start(isSaved: Promise<void> = Promise.resolve()) {
  const rows = new Map<number, number | undefined>();
  const failures: unknown[] = [];
  const inFlight = createInFlightDeletions({
    save: async (deletions) => {
      await isSaved;
      for (const { messageId } of deletions) {
        rows.set(messageId, undefined);
      }
    },
    postpone: async ({ messageId }, at) => void rows.set(messageId, at),
    remove: async (deletions) => {
      for (const { messageId } of deletions) {
        rows.delete(messageId);
      }
    },
    onFailure: (error) => void failures.push(error),
  });
  const answer = Promise.withResolvers<DeletionResult>();
  return { rows, failures, inFlight, answer, waited: inFlight.wait(deletion, answer.promise) };
}

test('waiting ends when the deletion is saved, and the row is removed with the answer', async () => {
  const { rows, inFlight, answer, waited } = start();

  await inFlight.saveAll();
  expect(await waited).toBeUndefined();
  expect([...rows.keys()]).toEqual([7]);

  answer.resolve({ kind: 'gone' });
  await inFlight.settled();
  expect([...rows.keys()]).toEqual([]);
});

test('an answer during saving removes the row', async () => {
  const written = Promise.withResolvers<void>();
  const { rows, inFlight, answer, waited } = start(written.promise);
  const writing = inFlight.saveAll();

  answer.resolve({ kind: 'gone' });
  expect(await waited).toEqual({ kind: 'gone' });
  written.resolve();
  await writing;
  await inFlight.settled();

  expect([...rows.keys()]).toEqual([]);
});

test('a deletion that has to wait is postponed', async () => {
  const { rows, inFlight, answer, waited } = start();
  await inFlight.saveAll();
  await waited;

  answer.resolve({ kind: 'later', at: 30_000 });
  await inFlight.settled();

  expect([...rows]).toEqual([[7, 30_000]]);
});

test('a deletion that cannot be saved is waited for', async () => {
  const { rows, inFlight, answer, waited } = start(Promise.reject(new Error('disk full')));

  await expect(inFlight.saveAll()).rejects.toThrow('disk full');
  answer.resolve({ kind: 'gone' });

  expect(await waited).toEqual({ kind: 'gone' });
  await inFlight.settled();
  expect([...rows.keys()]).toEqual([]);
});
