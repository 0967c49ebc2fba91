/** Two server processes that share a PostgreSQL and a bucket of a real S3 service. */
import { once } from 'node:events';
import { createServer, request as send, type Server } from 'node:http';
import * as v from 'valibot';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';

import { listGenerations, saveGeneration } from '#contract/endpoints/generations';
import { createLog } from '#server/lib/log';
import { createS3Store } from '#server/lib/s3-store';
import { sweep } from '#server/services/maintenance';
import { standInPicture } from '#tests/image-services';
import {
  bucketVariables,
  listAll,
  startBucket,
  type TestBucket,
  testStore,
} from '#tests/object-store';
import { startPostgres } from '#tests/postgres';
import { type SharedProcess, signUpAt, startShared } from '#tests/several-processes';
import { goodPassword } from '#tests/test-server';

const [postgres, bucket] = [await startPostgres(), await startBucket()];
afterAll(() => Promise.all([postgres?.close(), bucket?.close()]));

const ann = 700_000_001;
const hour = 60 * 60_000;

function requireBucket(): TestBucket {
  if (bucket === undefined) {
    throw new Error('There is no bucket.');
  }
  return bucket;
}

function openStore(endpoint = requireBucket().endpoint) {
  const given = requireBucket();
  const settings = { ...given, endpoint, publicEndpoint: endpoint };
  return createS3Store(settings, { log: createLog('silent') });
}

async function openEmpty() {
  const store = openStore();
  for (const name of await listAll(store)) {
    await store.remove(name);
  }
  return store;
}

/** Stands before the service, counts what it is asked, and can be away, or keep an answer to itself. */
async function startGate(behind: TestBucket) {
  const calls: string[] = [];
  let port = 0;
  let keptBack: RegExp | undefined;
  let isBroken = false;
  let server: Server;
  const { hostname, port: portBehind } = new URL(behind.endpoint);

  async function open(): Promise<void> {
    server = createServer((incoming, outgoing) => {
      const call = `${incoming.method ?? ''} ${incoming.url ?? ''}`;
      calls.push(call);
      if (isBroken) {
        incoming.socket.destroy();
        return;
      }
      const { method, url: path, headers } = incoming;
      const forwarded = send({ hostname, port: portBehind, method, path, headers }, (answer) => {
        if (keptBack?.test(call) === true) {
          answer.resume().on('end', () => server.emit('kept back'));
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      incoming.pipe(forwarded);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  }

  async function close(): Promise<void> {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  await open();
  onTestFinished(async () => {
    if (server.listening) {
      await close();
    }
  });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    calls,
    open,
    close,
    /** Whether all connections break. */
    setBroken: (next: boolean) => {
      isBroken = next;
    },
    /** Answers to such calls do not arrive; resolves when the first one did not. */
    keepBack: async (pattern: RegExp) => {
      keptBack = pattern;
      await once(server, 'kept back');
    },
  };
}

async function startBoth(change: Readonly<Record<string, string>> = {}) {
  const given = requireBucket();
  const gate = await startGate(given);
  await openEmpty();
  const store = openStore(gate.endpoint);
  const { database, start } = await startShared(postgres);
  const variables = { ...bucketVariables({ ...given, endpoint: gate.endpoint }), ...change };
  const [a, b] = [await start('web', variables), await start('web,worker', variables)];
  const token = await signUpAt(a, ann);
  gate.calls.length = 0;
  return { gate, store, database, a, b, token };
}

async function save({ url }: SharedProcess, token: string, prompt = 'a lighthouse') {
  const form = new FormData();
  form.set('image', new Blob([new Uint8Array(standInPicture)]), 'a.png');
  form.set('model_id', '1');
  form.set('prompt', prompt);
  const response = await fetch(`${url}/backend${saveGeneration.path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: form,
  });
  const { status, headers } = response;
  const { image_url = '' } = v.parse(
    v.object({ image_url: v.optional(v.string()) }),
    await response.json(),
  );
  return { status, retryAfter: headers.get('Retry-After'), link: image_url };
}

async function list({ url }: SharedProcess, token: string) {
  const response = await fetch(`${url}/backend${listGenerations.path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const items = v.object({
    generations: v.array(v.looseObject({ prompt: v.string(), image_url: v.string() })),
  });
  return v.parse(items, await response.json()).generations;
}

describe.runIf(bucket !== undefined)('a bucket of a real service', () => {
  testStore(openEmpty);
});

describe.runIf(bucket !== undefined && postgres !== undefined)(
  'two processes with one bucket',
  () => {
    test('a picture that is saved at one is shown by the other, by a link straight to the bucket that cannot be changed', async () => {
      const { a, b, token, gate } = await startBoth();

      const saved = await save(a, token);
      const [item] = await list(b, token);
      const link = item?.image_url ?? '';
      const shown = await fetch(link);
      const bytes = Buffer.from(await shown.arrayBuffer());
      const changed = await fetch(link.replace('-original', '-thumbnail'));
      const bare = await fetch(link.replace(/\?.*/, ''));
      const download = `${b.url}/backend/pixai/api/v1/midjourney/download?url=${encodeURIComponent(link)}`;

      expect(saved.status).toBe(201);
      expect(link).toBe(saved.link);
      expect(link.startsWith(gate.endpoint)).toBe(true);
      expect([shown.status, shown.headers.get('Content-Type')]).toEqual([200, 'image/png']);
      expect(shown.headers.get('Content-Disposition')).toBe('attachment');
      expect(shown.headers.get('Cache-Control')).toBe('private, max-age=86400, immutable');
      expect(bytes.equals(standInPicture)).toBe(true);
      expect(changed.status).toBe(403);
      expect(bare.status).toBeGreaterThanOrEqual(400);
      expect((await fetch(download)).status).toBe(200);
    });

    test('with a wrong secret the service refuses, and the process answers 503 and says why', async () => {
      const { a, token, store } = await startBoth({
        S3_SECRET_ACCESS_KEY: 'not-the-secret',
      });

      const saved = await save(a, token);

      expect(saved).toMatchObject({ status: 503, retryAfter: '5' });
      expect(a.said()).toContain('"status":403');
      expect(a.said()).not.toContain('not-the-secret');
      expect(await listAll(store)).toEqual([]);
    });

    test('a bucket that is away for a moment delays what is saved; for longer, it is refused with 503, and nothing is lost', async () => {
      const { gate, a, b, token, store } = await startBoth();
      await save(a, token, 'before');

      gate.setBroken(true);
      gate.calls.length = 0;
      const delayed = save(a, token, 'delayed');
      await expect.poll(() => gate.calls.length).toBeGreaterThan(2);
      gate.setBroken(false);
      expect((await delayed).status).toBe(201);

      await gate.close();
      const refused = await Promise.all([a, b].map((one) => save(one, token, 'refused')));
      const prompts = (await list(b, token)).map(({ prompt }) => prompt);
      await gate.open();
      const afterwards = await save(b, token, 'afterwards');

      for (const one of refused) {
        expect(one).toMatchObject({ status: 503, retryAfter: '5' });
      }
      expect(prompts.toSorted()).toEqual(['before', 'delayed']);
      expect(afterwards.status).toBe(201);
      const statuses = (await list(a, token)).map(
        async ({ image_url }) => (await fetch(image_url)).status,
      );
      expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
      expect(await listAll(store)).toHaveLength(6);
    }, 120_000);

    test('what a process has stored when it is killed before the row is removed by a sweep, which lists nothing', async () => {
      const { gate, a, b, token, store, database } = await startBoth();
      await save(b, token, 'kept');
      const keptBack = gate.keepBack(/^PUT .*-thumbnail/);
      void save(a, token, 'lost').catch(() => undefined);
      await keptBack;
      a.process.kill('SIGKILL');
      await a.ended;
      const stored = await listAll(openStore());
      gate.calls.length = 0;

      await sweep({ database, objects: store, clock: Date.now });
      const tooSoon = await listAll(openStore());
      await sweep({ database, objects: store, clock: () => Date.now() + hour });

      expect(stored).toHaveLength(4);
      expect(tooSoon).toEqual(stored);
      expect(await listAll(openStore())).toHaveLength(2);
      expect((await list(b, token)).map(({ prompt }) => prompt)).toEqual(['kept']);
      // Nothing but the two removals was asked of the service.
      expect(gate.calls.map((call) => call.replace(/ .*-/, ' '))).toEqual(
        expect.arrayContaining(['DELETE original', 'DELETE thumbnail']),
      );
      expect(gate.calls).toHaveLength(2);
      expect(await database.db.selectFrom('loose_objects').selectAll().execute()).toEqual([]);
    });

    test('a deleted account leaves no object, and what others have stays', async () => {
      const { a, b, token, store, gate } = await startBoth();
      const bob = await signUpAt(b, ann + 1);
      await save(a, token, 'of Ann');
      await save(b, token, 'of Ann, too');
      const { link } = await save(b, bob, 'of Bob');
      gate.calls.length = 0;

      const response = await fetch(`${a.url}/backend/auth/me`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ password: goodPassword }),
      });

      expect(response.status).toBe(204);
      expect(gate.calls.filter((call) => !call.startsWith('DELETE '))).toEqual([]);
      expect(await listAll(store)).toHaveLength(2);
      expect((await fetch(link)).status).toBe(200);
    });
  },
);
