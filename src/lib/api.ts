/** The one HTTP client: sends an endpoint's call, parses its answer, and turns every failure into an `ApiError`. */
import type { AxiosInstance, AxiosResponse } from 'axios';
import * as v from 'valibot';

import {
  type Answer,
  type CallInput,
  type Endpoint,
  fileAnswer,
  splitInput,
} from '#contract/endpoints/endpoint';
import { readErrorBody } from '#contract/endpoints/errors';
import { login, loginWithTelegram } from '#contract/endpoints/session';

import { getSession } from './session.ts';

/** Where the backend of the specification's calls lives. */
export const backendUrl = (import.meta.env.VITE_BACKEND_URL ?? '/backend').replace(/\/$/, '');
/** Where the calls live that need no account; maybe somebody else's server. */
export const publicApiUrl = (import.meta.env.VITE_PUBLIC_API_URL ?? '/public-api').replace(
  /\/$/,
  '',
);

/** The model service's own search, for backends without one. */
const searchUrl = import.meta.env.VITE_MODEL_SEARCH_URL;

function endpointUrl({ base }: Endpoint, path: string): string {
  return base === 'search' && searchUrl
    ? searchUrl
    : (base === 'public' ? publicApiUrl : backendUrl) + path;
}

/** The token is for the backend alone. */
function isOurs({ base }: Endpoint): boolean {
  return base === undefined || (base === 'search' && !searchUrl);
}

/** A call that did not work out. `detail` is the server's own sentence, when it gave one. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The server's stable code, or `no_response`, `unreadable`, `aborted`. */
  readonly code: string;
  readonly detail: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor(failure: {
    status: number;
    code: string;
    detail?: string | undefined;
    retryAfterS?: number | undefined;
    message: string;
  }) {
    super(failure.message);
    this.status = failure.status;
    this.code = failure.code;
    this.detail = failure.detail;
    this.retryAfterS = failure.retryAfterS;
  }
}

/** What to show for a failure: the server's sentence, else the given one. */
export function errorText(error: unknown, fallback: string): string {
  return (error instanceof ApiError ? error.detail : undefined) ?? fallback;
}

/**
 * What to do when the current token is refused. Answers whether the call is worth repeating with
 * the token that is current then.
 */
type UnauthorizedPolicy = (refusedToken: string) => Promise<boolean>;
let onUnauthorized: UnauthorizedPolicy = () => Promise.resolve(false);

/** Sets what happens on a 401; the transport itself knows no policy. */
export function setUnauthorizedPolicy(policy: UnauthorizedPolicy): void {
  onUnauthorized = policy;
}

let client: Promise<AxiosInstance> | undefined;

/** Axios comes with the first call: a page must paint before it asks. */
function loadClient(): Promise<AxiosInstance> {
  client ??= import('axios').then(({ default: axios }) =>
    axios.create({ adapter: 'fetch', validateStatus: () => true }),
  );
  // A chunk that could not be loaded must not poison every later call.
  client.catch(() => {
    client = undefined;
  });
  return client;
}

function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** Not every fetch gives header names in lower case. */
function readHeaders(response: AxiosResponse<unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

async function refusal(response: AxiosResponse<unknown>): Promise<ApiError> {
  const { data } = response;
  const isText = !(data instanceof Blob || data instanceof ReadableStream);
  const { detail, code } = readErrorBody(readJson(isText ? data : await new Response(data).text()));
  const seconds = Number(readHeaders(response)['retry-after']);
  return new ApiError({
    status: response.status,
    code: code ?? `http_${response.status}`,
    detail,
    retryAfterS: seconds > 0 ? seconds : undefined,
    message: `HTTP error! status: ${response.status}`,
  });
}

function headersFor(endpoint: Endpoint, token: string | undefined): Record<string, string> {
  // Of a form the browser itself writes the type, with the boundary between its fields.
  const isJson = endpoint.method !== 'GET' && endpoint.isForm !== true;
  return {
    Accept: endpoint.output === fileAnswer ? 'image/*, application/json' : 'application/json',
    ...(isJson ? { 'Content-Type': 'application/json' } : {}),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  };
}

function toForm(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) {
      form.append(name, value, value instanceof File ? value.name : 'file');
    } else {
      form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
    }
  }
  return form;
}

/** The answer as it came, whatever its status. Rejects with an `ApiError` when there is none. */
export async function send(
  endpoint: Endpoint,
  input: Record<string, unknown>,
  options: {
    token: string | undefined;
    signal: AbortSignal | undefined;
    /** The answer's bytes are read as they come. */
    isStream?: boolean | undefined;
  },
): Promise<AxiosResponse<unknown>> {
  const { path, query, body } = splitInput(endpoint, input);
  try {
    const axios = await loadClient();
    return await axios.request<unknown>({
      method: endpoint.method,
      url: endpointUrl(endpoint, path),
      params: query,
      headers: headersFor(endpoint, options.token),
      data:
        Object.keys(body).length > 0
          ? endpoint.isForm
            ? toForm(body)
            : JSON.stringify(body)
          : undefined,
      responseType: options.isStream ? 'stream' : endpoint.output === fileAnswer ? 'blob' : 'text',
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } catch (error) {
    throw new ApiError({
      status: 0,
      code: options.signal?.aborted ? 'aborted' : 'no_response',
      message: error instanceof Error ? error.message : '',
    });
  }
}

/** Sends a call with the session's token; rejects with an `ApiError` for a refusal and for a missing answer. */
export async function request<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: { signal: AbortSignal | undefined; isStream?: boolean },
): Promise<AxiosResponse<unknown>> {
  const session = getSession();
  // The session's token is the backend's alone.
  const token = session.status === 'member' && isOurs(endpoint) ? session.token : undefined;
  let response = await send(endpoint, input, { ...options, token });

  const isAskingForSession = [login.path, loginWithTelegram.path].includes(endpoint.path);
  if (response.status === 401 && token !== undefined && !isAskingForSession) {
    const isWorthRepeating = await onUnauthorized(token);
    const renewed = getSession();
    if (isWorthRepeating && renewed.status === 'member') {
      response = await send(endpoint, input, { ...options, token: renewed.token });
    }
  }

  if (response.status < 200 || response.status > 299) {
    throw await refusal(response);
  }
  return response;
}

/**
 * Calls an endpoint. Rejects with an `ApiError` for a refusal, a missing answer, or an answer of a
 * wrong shape. `input` is sent as the caller gives it; the server checks it.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  signal?: AbortSignal,
): Promise<Answer<E>> {
  const response = await request(endpoint, input, { signal });
  const { data } = response;
  const body =
    data instanceof Blob ? { blob: data, headers: readHeaders(response) } : readJson(data);
  const answer = v.safeParse<E['output']>(endpoint.output, body);
  if (!answer.success) {
    throw new ApiError({
      status: response.status,
      code: 'unreadable',
      message: 'The answer has an unknown shape',
    });
  }
  return answer.output;
}
