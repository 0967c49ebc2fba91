/** A server that is watched: its metrics are read, and a collector takes its traces. */
import * as v from 'valibot';
import { expect, onTestFinished } from 'vitest';

import { startTelemetry } from '#server/app/telemetry';

import { listen, type RecordedCall } from './stand-in-server.ts';
import { type TestServer } from './test-server.ts';

/** Begins to export what a server does, until the test ends. */
export async function watch(deps: TestServer['deps']) {
  const said: string[] = [];
  const telemetry = await startTelemetry(deps, (line) => void said.push(line));
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= telemetry.stop());
  onTestFinished(stop);
  const address = /at (http:\S+)$/.exec(said[0] ?? '')?.[1] ?? '';
  return { address, scrape: () => read(address), stop };
}

async function read(address: string): Promise<string> {
  const response = await fetch(address);
  expect(response.status).toBe(200);
  return response.text();
}

const attributes = v.array(
  v.strictObject({
    key: v.string(),
    value: v.union([
      v.strictObject({ stringValue: v.string() }),
      v.strictObject({ intValue: v.number() }),
    ]),
  }),
);
const hex = (length: number) => v.pipe(v.string(), v.hexadecimal(), v.length(length));
const nanoseconds = v.pipe(v.string(), v.digits());
const spanSchema = v.looseObject({
  traceId: hex(32),
  spanId: hex(16),
  parentSpanId: v.optional(hex(16)),
  name: v.string(),
  kind: v.picklist([1, 2, 3]),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  status: v.object({ code: v.number() }),
});
const exportSchema = v.strictObject({
  resourceSpans: v.array(
    v.looseObject({
      resource: v.looseObject({ attributes }),
      scopeSpans: v.array(
        v.looseObject({
          scope: v.looseObject({ name: v.literal('nori') }),
          spans: v.array(spanSchema),
        }),
      ),
    }),
  ),
});
type ReceivedSpan = v.InferOutput<typeof spanSchema>;

/** A collector that takes nothing but what OTLP allows. */
export async function startCollector() {
  const spans: ReceivedSpan[] = [];
  const mistakes: string[] = [];
  const check = ({ method, path, headers, body }: RecordedCall) => {
    const parsed = v.safeParse(exportSchema, body);
    if (
      `${method} ${path}` !== 'POST /v1/traces' ||
      headers['content-type'] !== 'application/json' ||
      !parsed.success
    ) {
      mistakes.push(
        `${method} ${path} ${headers['content-type']} ${JSON.stringify(parsed.issues)}`,
      );
      return { status: 400 };
    }
    for (const { scopeSpans } of parsed.output.resourceSpans) {
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    return { body: { partialSuccess: {} } };
  };
  const standIn = await listen(check);
  onTestFinished(standIn.close);
  onTestFinished(() => expect(mistakes).toEqual([]));
  return { ...standIn, spans };
}

export const attribute = (span: ReceivedSpan | undefined, name: string) =>
  span?.attributes.find(({ key }) => key === name)?.value;
