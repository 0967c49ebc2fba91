/** Sends the request of an endpoint and reads the response: one request at a time. */
import { useEffect, useRef, useState } from 'react';

import { endpoint as defineEndpoint, fileAnswer, noInput } from '#contract/endpoints/endpoint';
import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { publicApiUrl, send } from '#lib/api';
import { usePlatform } from '#lib/platform';
import { onUserLeft } from '#lib/session';

import { type JsonLines } from './json-lines.ts';
import type { WorkerInput } from './json-worker.ts';
// oxlint-disable-next-line import/default -- Vite makes it: the address of the bundled worker.
import workerUrl from './json-worker.ts?worker&url';
import { type JsonBody, type PreviewKind, readBody } from './read-body.ts';
import { toPath } from './request.ts';
import { useCalls } from './store.ts';
import { texts } from './texts.ts';

const timeoutMs = 30_000;

export type Answer = {
  /** The path and query of the request, without the base. */
  readonly path: string;
  readonly status: number;
  /** From sending to the last byte. */
  readonly ms: number;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came; empty for a picture or a sound. */
  readonly text: string;
  /** Undefined when the text is not JSON. */
  readonly lines: JsonLines | undefined;
  readonly preview: { readonly kind: PreviewKind; readonly url: string } | undefined;
  /** The server's message, when it is an error. */
  readonly detail: string | undefined;
};

type Outcome =
  | { readonly state: 'answered'; readonly answer: Answer }
  | { readonly state: 'failed'; readonly reason: string; readonly hint?: string }
  | { readonly state: 'cancelled' };

export type RunState = { readonly state: 'idle' } | { readonly state: 'executing' } | Outcome;

/** A running request is cancelled when the form is left or the user changes. */
export function useRun(endpoint: PublicEndpoint) {
  const platform = usePlatform();
  const addCall = useCalls(({ add }) => add);
  const [current, setCurrent] = useState<RunState>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);

  useEffect(() => () => running.current?.abort(), []);
  useEffect(
    () =>
      onUserLeft(() => {
        running.current?.abort();
        running.current = undefined;
        setCurrent({ state: 'idle' });
      }),
    [],
  );

  const fileUrl = current.state === 'answered' ? current.answer.preview?.url : undefined;
  useEffect(
    () => (fileUrl?.startsWith('blob:') ? () => URL.revokeObjectURL(fileUrl) : undefined),
    [fileUrl],
  );

  const execute = async (values: Values) => {
    if (running.current) {
      return;
    }
    const abort = new AbortController();
    running.current = abort;
    setCurrent({ state: 'executing' });
    const outcome = await run(endpoint, toPath(endpoint, values), abort);
    if (running.current !== abort) {
      // The user has logged out meanwhile.
      return;
    }
    running.current = undefined;
    setCurrent(outcome);
    if (outcome.state === 'cancelled') {
      return;
    }
    const answer = outcome.state === 'answered' ? outcome.answer : undefined;
    platform.haptic(answer !== undefined && answer.status < 400 ? 'success' : 'error');
    addCall({
      endpointId: endpoint.id,
      values,
      ...(answer ? { status: answer.status, ms: answer.ms } : {}),
    });
  };

  return { current, execute, cancel: () => running.current?.abort() };
}

/** Never rejects. */
async function run(
  endpoint: PublicEndpoint,
  path: string,
  abort: AbortController,
): Promise<Outcome> {
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    abort.abort();
  }, timeoutMs);
  const startedAt = performance.now();
  try {
    const call = defineEndpoint({
      base: 'public',
      method: endpoint.method,
      // For the type, which demands the slash.
      path: `/${path.slice(1)}`,
      input: noInput,
      output: fileAnswer,
    });
    const response = await send(call, {}, { token: undefined, signal: abort.signal });
    const ms = Math.round(performance.now() - startedAt);
    clearTimeout(timer);
    const { status } = response;
    const body = response.data instanceof Blob ? response.data : new Blob([]);
    const headers = lowerCaseNames(response.headers);
    const content = await readContent(endpoint, body, headers['content-type'] ?? '');
    const preview = status < 400 ? content.preview : undefined;
    return {
      state: 'answered',
      answer: { path, status, ms, bytes: body.size, headers, ...content, preview },
    };
  } catch {
    // Only the network rejects here.
    if (isTimedOut) {
      return { state: 'failed', reason: texts.timedOut };
    }
    return abort.signal.aborted
      ? { state: 'cancelled' }
      : { state: 'failed', reason: texts.failed, hint: texts.failedHint };
  } finally {
    clearTimeout(timer);
  }
}

/** Not every fetch returns header names in lower case. */
function lowerCaseNames(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

async function readContent(
  { preview: kind }: PublicEndpoint,
  body: Blob,
  contentType: string,
): Promise<Pick<Answer, 'text' | 'lines' | 'preview' | 'detail'>> {
  const fileKind = /^(image|audio)\//.exec(contentType)?.[1];
  if (fileKind === 'image' || fileKind === 'audio') {
    // Some services answer with the file itself.
    const preview = { kind: fileKind, url: URL.createObjectURL(body) } as const;
    return { text: '', lines: undefined, preview, detail: undefined };
  }
  const [text, json] = await readText(body, kind);
  const url = json?.preview === undefined ? undefined : toWebUrl(json.preview);
  return {
    text,
    lines: json?.lines,
    preview: kind === undefined || url === undefined ? undefined : { kind, url },
    detail: json?.detail,
  };
}

/** From this size on, reading takes longer than starting a worker. */
const minWorkerBytes = 500_000;

async function readText(
  body: Blob,
  kind: PreviewKind | undefined,
): Promise<[text: string, json: JsonBody | undefined]> {
  if (body.size < minWorkerBytes || typeof Worker === 'undefined') {
    const text = await body.text();
    return [text, readBody(text, kind)];
  }
  const [text, json] = await Promise.all([body.text(), readInWorker({ body, kind })]);
  return [text, json === 'failed' ? readBody(text, kind) : json];
}

type ScriptPolicy = { readonly createScriptURL: (url: string) => string };

declare global {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only interfaces can be merged.
  interface Window {
    /** Browsers that know Trusted Types start a worker only from an address that a policy of the page has made. */
    readonly trustedTypes?: {
      readonly createPolicy: (name: string, rules: ScriptPolicy) => ScriptPolicy;
    };
  }
}

const workerRules: ScriptPolicy = { createScriptURL: () => workerUrl };
let workerPolicy: ScriptPolicy | undefined;

/** The policy of pages allows one policy of this name; a second one could not be made. */
function makeWorkerAddress(): string {
  workerPolicy ??= window.trustedTypes?.createPolicy('nori-worker', workerRules) ?? workerRules;
  return workerPolicy.createScriptURL('');
}

/** Resolves to `failed` where workers are blocked. */
function readInWorker(input: WorkerInput): Promise<JsonBody | undefined | 'failed'> {
  return new Promise((resolve) => {
    const worker = new Worker(makeWorkerAddress(), { type: 'module' });
    const finish = (result: JsonBody | undefined | 'failed') => {
      worker.terminate();
      resolve(result);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<JsonBody | undefined>) =>
      finish(data),
    );
    worker.addEventListener('error', () => finish('failed'));
    // The rule is about windows; a worker has no other origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(input);
  });
}

/** The absolute URL; undefined for other protocols than HTTP(S), which must never be loaded. */
function toWebUrl(link: string): string | undefined {
  const base = new URL(publicApiUrl, window.location.href);
  const url = URL.canParse(link, base.href) ? new URL(link, base.href) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
