/** An operator follows a request through the server: a collector receives spans, and nothing of users. */
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { startExport } from '#contract/endpoints/exports';
import { login, readMe } from '#contract/endpoints/session';
import { traceEnded, traced } from '#server/lib/telemetry';
import { canary, mila, startCanaryWorld } from '#tests/canary';
import { signIn } from '#tests/chats';
import { bo } from '#tests/command-group';
import { groupId } from '#tests/test-bot';
import { adaId, createTestServer, goodPassword } from '#tests/test-server';
import { attribute, startCollector, watch } from '#tests/watched-server';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('traces', () => {
  async function startTraced(variables: Readonly<Record<string, string>> = {}) {
    const collector = await startCollector();
    const server = await createTestServer({
      variables: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, ...variables },
    });
    return { collector, server, ...(await watch(server.deps)) };
  }

  test('a request is a span with its statements, and its line in the log names the trace', async () => {
    const { collector, server, stop } = await startTraced();

    const reply = await server.call(login, { telegram_id: adaId, password: goodPassword });
    await stop();

    const request = collector.spans.find(({ name }) => name === 'POST /backend/login');
    const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(request?.kind).toBe(2);
    expect(request?.parentSpanId).toBeUndefined();
    expect(attribute(request, 'http.response.status_code')).toEqual({ intValue: 401 });
    expect(attribute(request, 'nori.request_id')).toEqual({
      stringValue: reply.headers.get('X-Request-Id'),
    });
    expect(parts.map(({ name }) => name)).toContain('database select people');
    expect(parts.every(({ traceId, kind }) => traceId === request?.traceId && kind === 3)).toBe(
      true,
    );
    expect(server.logLines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ traceId: request?.traceId }),
    ]);
    expect(JSON.parse(server.securityLines[0] ?? '')).toMatchObject({ traceId: request?.traceId });
  });

  test.each([
    ['a believed proxy is continued', { TRUST_PROXY: '1' }, true],
    ['any other caller is not', {}, false],
  ])('the trace of %s', async (_who, variables, isContinued) => {
    const { collector, server, stop } = await startTraced(variables);

    await server.call(readMe, {}, { headers: { traceparent } });
    await stop();

    const [request] = collector.spans;
    expect(collector.spans).toHaveLength(1);
    expect(request?.traceId === '0af7651916cd43dd8448eb211c80319c').toBe(isContinued);
    expect(request?.parentSpanId).toBe(isContinued ? 'b7ad6b7169203331' : undefined);
  });

  test('what no request, update or job has begun is no trace', async () => {
    const { collector, server, stop } = await startTraced();

    await sql`select 1`.execute(server.db);
    traceEnded('database select', 1, false);
    await stop();

    expect(collector.spans).toEqual([]);
  });

  test('the file with the data of a user is a span with its statements, and with what became of it', async () => {
    const { collector, server, stop } = await startTraced();
    const { token } = await signIn(server, Number(adaId));
    await server.call(startExport, { by_bot: false }, { token });

    await server.services.exports.runDue();
    await stop();

    const made = collector.spans.find(({ name }) => name === 'export');
    const parts = collector.spans.filter(({ parentSpanId }) => parentSpanId === made?.spanId);
    expect(attribute(made, 'nori.outcome')).toEqual({ stringValue: 'done' });
    expect(parts.map(({ name }) => name)).toContain('database select people');
  });

  test('work that fails is marked, without what it said', async () => {
    const { collector, stop } = await startTraced();

    const failing = traced({ name: 'job', kind: 'internal' }, () =>
      Promise.reject(new Error('of mila@example.org')),
    );
    await expect(failing).rejects.toThrow('mila');
    await stop();

    expect(collector.spans).toEqual([
      expect.objectContaining({ name: 'job', status: { code: 2 } }),
    ]);
    expect(JSON.stringify(collector.calls)).not.toContain('mila');
  });

  test('while the collector is away requests are answered, and the log says so once', async () => {
    const { collector, server, stop } = await startTraced();
    await collector.close();
    const about = () => server.logLines.filter((line) => line.includes('traces cannot be sent'));

    // More than one batch.
    for (let count = 0; count < 1100; count += 1) {
      const { status } = await server.request('/backend/health');
      expect(status).toBe(200);
    }
    await expect.poll(() => about().length, { timeout: 20_000 }).toBe(1);
    await stop();

    expect(about()).toHaveLength(1);
  });
});

test('nothing of a user is in the metrics or in the traces, whatever they did', async () => {
  const collector = await startCollector();
  const watcher = await createTestServer({
    variables: { METRICS_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  const { scrape, stop } = await watch(watcher.deps);

  const { token, boToken } = await startCanaryWorld();
  const text = await scrape();
  await stop();

  const names = new Set(collector.spans.map(({ name }) => name.split(' ')[0]));
  expect(text).toMatch(/nori_bot_update_duration_seconds_count/);
  expect([...names]).toEqual(expect.arrayContaining(['POST', 'update', 'telegram', 'database']));
  for (const secret of [String(mila), String(bo), String(groupId), canary, token, boToken]) {
    expect(text).not.toContain(secret);
    expect(JSON.stringify(collector.calls)).not.toContain(secret);
  }
});
