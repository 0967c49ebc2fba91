/** Runs an endpoint once, and says how it went. */
import { endpoint as wire, fileAnswer, noInput } from '#contract/endpoints/endpoint';
import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { publicApiUrl, send } from '#lib/api';

import { type JsonLines } from './json-lines.ts';
import { type PreviewKind } from './preview-link.ts';
import { readAnswer } from './read-answer.ts';
import { texts } from './texts.ts';

const timeoutMs = 30_000;

export type Answer = {
  /** What was asked, after the base. */
  readonly path: string;
  readonly status: number;
  /** From sending to the last byte. */
  readonly ms: number;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came; empty when it is no text. */
  readonly text: string;
  /** How it is laid out, when it is JSON. */
  readonly lines: JsonLines | undefined;
  readonly preview: { readonly kind: PreviewKind; readonly url: string } | undefined;
  /** Of a refusal: the server's own sentence. */
  readonly detail: string | undefined;
};

export type Outcome =
  | { readonly state: 'answered'; readonly answer: Answer }
  | { readonly state: 'failed'; readonly reason: string; readonly hint?: string }
  | { readonly state: 'cancelled' };

/** `path` is what follows the base, with its query; `stop` cancels. Never rejects. */
export async function run(
  endpoint: PublicEndpoint,
  path: string,
  stop: AbortController,
): Promise<Outcome> {
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    stop.abort();
  }, timeoutMs);
  const from = performance.now();
  try {
    const call = wire({
      base: 'public',
      method: endpoint.method,
      // It begins with the slash of the endpoint's own path.
      path: `/${path.slice(1)}`,
      input: noInput,
      output: fileAnswer,
    });
    const response = await send(call, {}, { token: undefined, signal: stop.signal });
    const ms = Math.round(performance.now() - from);
    clearTimeout(timer);
    const body = response.data instanceof Blob ? response.data : new Blob([]);
    const headers = lowerCased(response.headers);
    const read = await readShown(endpoint, { body, headers });
    const { status } = response;
    return {
      state: 'answered',
      answer: {
        path,
        status,
        ms,
        bytes: body.size,
        headers,
        ...read,
        preview: status < 400 ? read.preview : undefined,
      },
    };
  } catch {
    // Nothing but the network rejects here: why it did is known by who stopped it.
    if (isTooLate) {
      return { state: 'failed', reason: texts.timedOut };
    }
    return stop.signal.aborted
      ? { state: 'cancelled' }
      : { state: 'failed', reason: texts.failed, hint: texts.failedHint };
  } finally {
    clearTimeout(timer);
  }
}

/** Not every fetch gives header names in lower case. */
function lowerCased(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

type Received = { readonly body: Blob; readonly headers: Readonly<Record<string, string>> };
type Shown = Pick<Answer, 'text' | 'lines' | 'preview' | 'detail'>;

async function readShown(
  { preview: kind }: PublicEndpoint,
  { body, headers }: Received,
): Promise<Shown> {
  const file = /^(image|audio)\//.exec(headers['content-type'] ?? '')?.[1];
  if (file === 'image' || file === 'audio') {
    // Some services answer with the file itself.
    const preview = { kind: file, url: URL.createObjectURL(body) } as const;
    return { text: '', lines: undefined, preview, detail: undefined };
  }
  const { text, json } = await readAnswer(body, kind);
  const link = json?.preview === undefined ? undefined : webLink(json.preview);
  return {
    text,
    lines: json?.lines,
    preview: kind === undefined || link === undefined ? undefined : { kind, url: link },
    detail: json?.detail,
  };
}

/** Only pages' own protocols: a link of another kind must never be loaded. */
function webLink(link: string): string | undefined {
  const base = new URL(publicApiUrl, window.location.href);
  const url = URL.canParse(link, base.href) ? new URL(link, base.href) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
