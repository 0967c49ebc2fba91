/**
 * Connects the server to what operators watch it with: /metrics for Prometheus on a port of its own, and traces by OTLP.
 * The libraries are loaded only when one of both is set.
 */
// Types alone, so that nothing is loaded here: inline ones would leave an import behind.
import type * as OpenTelemetryApi from '@opentelemetry/api';
import type { Context, Counter, Histogram, Meter, Tracer } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { resolve } from 'node:path';
import * as v from 'valibot';

import { type Span } from '#server/lib/request-context';
import {
  connectTelemetry,
  type CounterName,
  counters,
  durations,
  type Meters,
  type Tracing,
} from '#server/lib/telemetry';

import { type Dependencies } from './dependencies.ts';
import { addReadings, within } from './telemetry-readings.ts';

export type Telemetry = {
  /** Sends the last spans, waiting for them only briefly. To be called before the database is closed. */
  readonly stop: () => Promise<void>;
};

type Needs = Pick<Dependencies, 'env' | 'database' | 'log' | 'clock'>;

/** Does nothing unless `METRICS_PORT` or `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Rejects when the port cannot be used. */
export async function startTelemetry(
  needs: Needs,
  say: (line: string) => void,
): Promise<Telemetry> {
  const { metricsPort, tracesUrl } = needs.env;
  if (metricsPort === undefined && tracesUrl === undefined) {
    return { stop: () => Promise.resolve() };
  }
  const version = await readVersion();
  const exported = metricsPort === undefined ? undefined : await exportMetrics(needs, version);
  const traces =
    tracesUrl === undefined ? undefined : await exportTraces(needs, tracesUrl, version);
  const disconnect = connectTelemetry({ meters: exported?.meters, tracing: traces?.tracing });
  if (exported !== undefined) {
    say(`Metrics for Prometheus are at ${exported.address}`);
  }
  return {
    stop: async () => {
      disconnect();
      await Promise.all([exported?.stop(), traces?.stop()]);
    },
  };
}

async function readVersion(): Promise<string> {
  const file = await readFile(resolve(import.meta.dirname, '../../package.json'), 'utf8');
  return v.parse(v.object({ version: v.string() }), JSON.parse(file)).version;
}

const metricsPath = '/metrics';

async function exportMetrics(needs: Needs, version: string) {
  const [{ MeterProvider }, { PrometheusExporter }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-prometheus'),
  ]);
  // Its own server cannot take any free port, nor say that one is taken.
  const exporter = new PrometheusExporter({
    preventServerStart: true,
    withoutScopeInfo: true,
    withoutTargetInfo: true,
  });
  const provider = new MeterProvider({ readers: [exporter] });
  const meter = provider.getMeter('nori');
  const stopReading = addReadings(meter, needs, version);
  const meters = createMeters(meter);
  const server = createServer((request, response) => {
    if (request.url === metricsPath && request.method === 'GET') {
      exporter.getMetricsRequestHandler(request, response);
    } else {
      response.writeHead(404).end();
    }
  });
  const { metricsPort, host } = needs.env;
  const port = await listenAt(server, { port: metricsPort ?? 0, host });
  return {
    meters,
    address: `http://${host.includes(':') ? `[${host}]` : host}:${port}${metricsPath}`,
    stop: async () => {
      stopReading();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      await provider.shutdown();
    },
  };
}

async function listenAt(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<number> {
  server.listen({ port, host });
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** What has no event before something goes wrong is known from the start, so that its first increase is seen. */
const zeros: readonly (readonly [CounterName, Readonly<Record<string, string>>])[] = [
  ['floodWaits', {}],
  ['floodWaitSeconds', {}],
  ['deletions', { outcome: 'done' }],
  ['deletions', { outcome: 'refused' }],
  ['deletions', { outcome: 'put_off' }],
];

function createMeters(meter: Meter): Meters {
  const adders = new Map<string, Counter>(
    Object.entries(counters).map(([key, { name, help }]) => [
      key,
      meter.createCounter(name, { description: help }),
    ]),
  );
  const timers = new Map<string, Histogram>(
    Object.entries(durations).map(([key, { name, help, buckets }]) => [
      key,
      meter.createHistogram(name, {
        description: help,
        advice: { explicitBucketBoundaries: [...buckets] },
      }),
    ]),
  );
  const meters: Meters = {
    add: (name, by, labels) => adders.get(name)?.add(by, { ...labels }),
    record: (name, duration, labels) => timers.get(name)?.record(duration, { ...labels }),
  };
  for (const [name, labels] of zeros) {
    meters.add(name, 0, labels);
  }
  return meters;
}

const exportTimeoutMs = 5000;
/** How long a stopping server waits for a collector. */
const lastSpansMs = 3000;

async function exportTraces({ env, log }: Needs, url: string, version: string) {
  const [api, { OTLPTraceExporter }, { resourceFromAttributes }, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-node'),
  ]);
  const exporter = new OTLPTraceExporter({
    url: `${url.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new sdk.NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'nori',
      'service.version': version,
      'service.instance.id': randomUUID(),
      'nori.role': [...env.roles].toSorted().join(','),
    }),
    spanProcessors: [new sdk.BatchSpanProcessor(reportOnce(exporter, log))],
  });
  return {
    tracing: createTracing(api, provider.getTracer('nori')),
    stop: () => within(provider.shutdown(), lastSpansMs),
  };
}

/** A collector that does not answer is no reason to stop, nor to fill the log. */
function reportOnce(exporter: SpanExporter, log: Needs['log']): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isFailing) {
          const reason = result.error?.message ?? 'no reason';
          log.warn({ reason }, 'traces cannot be sent; it is tried again, and not reported again');
        } else if (!hasFailed && isFailing) {
          log.warn('traces can be sent again');
        }
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

const traceparentPattern = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

function createTracing(api: typeof OpenTelemetryApi, tracer: Tracer): Tracing {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    internal: SpanKind.INTERNAL,
  } as const;
  const contexts = new WeakMap<Span, Context>();

  function readTraceparent(text: string): Context {
    const [, traceId, spanId, flags = '0'] = traceparentPattern.exec(text) ?? [];
    return traceId === undefined || spanId === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId,
          spanId,
          traceFlags: Number.parseInt(flags, 16),
          isRemote: true,
        });
  }

  return {
    start: ({ name, kind, attributes = {}, startedAt, traceparent = '' }, parent) => {
      const above = (parent && contexts.get(parent)) ?? readTraceparent(traceparent);
      const options = { kind: kinds[kind], attributes: { ...attributes } };
      const began = tracer.startSpan(
        name,
        startedAt === undefined ? options : { ...options, startTime: startedAt },
        above,
      );
      const span: Span = {
        traceId: began.spanContext().traceId,
        set: (more) => void began.setAttributes({ ...more }),
        rename: (to) => void began.updateName(to),
        end: ({ isFailed = false } = {}) => {
          if (isFailed) {
            began.setStatus({ code: SpanStatusCode.ERROR });
          }
          began.end();
        },
      };
      contexts.set(span, trace.setSpan(above, began));
      return span;
    },
  };
}
