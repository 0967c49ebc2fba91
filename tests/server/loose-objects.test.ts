/** Objects that no row holds: written down before they are stored, and removed by their rows. On SQLite and on PostgreSQL. */
import { afterAll, describe, expect, test, vi } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import { deleteMidjourney, generateMidjourney } from '#contract/endpoints/midjourney';
import { type Database, openDatabase } from '#server/db/client';
import {
  addLooseObjects,
  claimObjects,
  removeLooseObjects,
  sweepLooseObjects,
} from '#server/db/loose-objects';
import { AppError } from '#server/lib/errors';
import { sweep } from '#server/services/maintenance';
import { ann, createQuickEngine, garden, readHistory, readMade, save } from '#tests/pictures';
import { startPostgres } from '#tests/postgres';
import {
  createMemoryStore,
  createTestServer,
  goodPassword,
  openTestDatabase,
} from '#tests/test-server';

const hour = 60 * 60_000;

const postgres = await startPostgres();
afterAll(() => postgres?.close());

type OnStatement = (sql: string) => void;
const engines: Record<string, (onStatement?: OnStatement) => Promise<Database>> = {
  SQLite: async (onStatement) => openDatabase(onStatement ? { onStatement } : {}),
  ...(postgres ? { PostgreSQL: (onStatement) => openTestDatabase(postgres.url, onStatement) } : {}),
};

describe.each(Object.entries(engines))('on %s', (_engine, open) => {
  async function start(onStatement?: OnStatement) {
    const objects = createMemoryStore();
    const midjourney = createQuickEngine('midjourney', 4).engine;
    const database = await open(onStatement);
    const server = await createTestServer({ database, objects, engines: { midjourney } });
    const token = await server.signUp(ann);
    const listLoose = async () =>
      (await server.db.selectFrom('loose_objects').select('name').execute()).map(
        ({ name }) => name,
      );
    return { server, database, objects, token, listLoose, place: { database, objects } };
  }

  test('saving a picture sends two statements more, and leaves nothing loose', async () => {
    const statements: string[] = [];
    const { server, token, objects, listLoose } = await start((sql) => void statements.push(sql));
    statements.length = 0;

    const saved = await save(server, token);

    expect(saved.status).toBe(201);
    expect(statements.filter((sql) => sql.includes('loose_objects'))).toEqual([
      expect.stringMatching(/^insert/),
      expect.stringMatching(/^delete/),
    ]);
    expect(await listLoose()).toEqual([]);
    expect(objects.names()).toHaveLength(2);
  });

  test('what a crash leaves before its row is removed after an hour, and not before', async () => {
    const { server, token, objects, listLoose } = await start();
    const kept = await save(server, token, { prompt: 'kept' });
    // As if the process had been killed when both files were stored.
    const put = objects.put;
    vi.spyOn(objects, 'put').mockImplementation(async (name, bytes) => {
      await put(name, bytes);
      if (name.endsWith('-thumbnail')) {
        await new Promise(() => undefined);
      }
    });
    void save(server, token, { prompt: 'lost' });
    await expect
      .poll(() => objects.names().filter((name) => !name.endsWith('.part')))
      .toHaveLength(4);

    server.wait(hour - 1);
    await sweep(server.deps);
    const before = await listLoose();
    server.wait(1);
    await sweep(server.deps);

    expect(kept.status).toBe(201);
    expect(before).toHaveLength(2);
    expect(objects.names().some((name) => before.includes(name))).toBe(false);
    expect(objects.names().filter((name) => !name.endsWith('.part'))).toHaveLength(2);
    expect(await listLoose()).toEqual([]);
    expect((await readHistory(server, token)).map(({ prompt }) => prompt)).toEqual(['kept']);
  });

  test('a picture that took too long is refused, as its files are removed, and can be saved again', async () => {
    const { server, token, objects, listLoose } = await start();
    const put = objects.put;
    vi.spyOn(objects, 'put').mockImplementationOnce(async (name, bytes) => {
      await put(name, bytes);
      server.wait(hour);
      await sweep(server.deps);
    });

    const late = await save(server, token);
    const saved = await save(server, token);

    expect(late).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect(late.headers.get('Retry-After')).toBe('5');
    expect(saved.status).toBe(201);
    expect(await readHistory(server, token)).toHaveLength(1);
    expect(objects.names()).toHaveLength(2);
    expect(await listLoose()).toEqual([]);
  });

  test('an object that is being removed can neither be claimed nor stored again', async () => {
    const { server, objects, place } = await start();
    await addLooseObjects(server.db, ['one', 'two'], server.now());
    await objects.put('one', Buffer.from('x'));
    const outcomes: string[] = [];
    const remove = objects.remove;
    vi.spyOn(objects, 'remove').mockImplementation(async (name) => {
      const works = [
        () => claimObjects(server.db, [name]),
        () => addLooseObjects(server.db, [name], 0),
      ];
      for (const work of works) {
        outcomes.push(
          await work().then(
            () => 'done',
            (error: AppError) => error.code,
          ),
        );
      }
      await remove(name);
    });

    await sweepLooseObjects(place, server.now());

    expect(outcomes).toEqual(['busy', 'busy', 'busy', 'busy']);
    expect(objects.names()).toEqual([]);
  });

  test('a claim of several is of all or of none', async () => {
    const { server, listLoose } = await start();
    await addLooseObjects(server.db, ['one'], server.now() + hour);

    const claim = server.db.transaction().execute((tx) => claimObjects(tx, ['one', 'gone']));

    await expect(claim).rejects.toThrow(AppError);
    expect(await listLoose()).toEqual(['one']);
  });

  test('while the store is away a deletion is done, and its objects are removed when it is back', async () => {
    const { server, token, objects, listLoose } = await start();
    await save(server, token);
    await server.call(generateMidjourney, garden, { token });
    const stored = objects.names().length;
    const away = vi.spyOn(objects, 'remove').mockRejectedValue(new AppError('busy'));

    const gone = await server.call(deleteAccount, { password: goodPassword }, { token });
    const calls = away.mock.calls.length;
    const swept = await sweep(server.deps).then(
      () => 'done',
      (error: AppError) => error.code,
    );
    const waiting = await listLoose();
    away.mockRestore();
    // Who held them is given its time.
    server.wait(5 * 60_000);
    await sweep(server.deps);

    expect(gone.status).toBe(204);
    expect(swept).toBe('busy');
    expect(stored).toBe(2 + 4 + 8);
    // One group was tried, the others would only have waited.
    expect(calls).toBe(10);
    expect(waiting).toHaveLength(stored);
    expect(objects.names()).toEqual([]);
    expect(await listLoose()).toEqual([]);
  });

  test('a deletion for good removes its objects at once, and lists nothing of the store', async () => {
    const { server, token, objects, listLoose } = await start();
    const listed = vi.spyOn(objects, 'listNames');
    const { id } = readMade(await server.call(generateMidjourney, garden, { token }));

    await server.call(deleteMidjourney, { id }, { token });
    const names = objects.names();
    server.wait(48 * hour);
    await sweep(server.deps);

    expect(names).toEqual([]);
    expect(await listLoose()).toEqual([]);
    expect(listed).not.toHaveBeenCalled();
  });

  test('one object that cannot be removed keeps none of the others', async () => {
    const { server, objects, place, listLoose } = await start();
    const names = Array.from({ length: 1200 }, (_, index) => `n${String(index).padStart(4, '0')}`);
    await addLooseObjects(server.db, names, server.now());
    for (const name of names) {
      await objects.put(name, Buffer.from('x'));
    }
    const remove = objects.remove;
    vi.spyOn(objects, 'remove').mockImplementation(async (name) => {
      if (name === 'n0007') {
        throw new Error('EACCES');
      }
      await remove(name);
    });

    await expect(sweepLooseObjects(place, server.now())).rejects.toThrow('EACCES');

    expect(objects.names()).toEqual(['n0007']);
    expect(await listLoose()).toEqual(['n0007']);
  });

  test('of two sweeps at once each removes its own', async () => {
    const { server, objects, place, listLoose } = await start();
    const names = Array.from({ length: 700 }, (_, index) => `n${index}`);
    await addLooseObjects(server.db, names, server.now());
    const removed = vi.spyOn(objects, 'remove');

    await Promise.all([1, 2].map(() => sweepLooseObjects(place, server.now())));

    expect(removed.mock.calls.map(([name]) => name).toSorted()).toEqual(names.toSorted());
    expect(await listLoose()).toEqual([]);
  });

  test('a removal that fails rejects nothing, and leaves its rows', async () => {
    const { server, objects, place, listLoose } = await start();
    await addLooseObjects(server.db, ['one'], server.now());
    vi.spyOn(objects, 'remove').mockRejectedValue(new Error('EIO'));

    await removeLooseObjects(place, ['one']);

    expect(await listLoose()).toEqual(['one']);
  });
});
