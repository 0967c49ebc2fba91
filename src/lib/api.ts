/** The HTTP client: calls endpoints, parses their answers, and turns every failure into an `ApiError`. */
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

import { language } from './language.ts';
import { getSession } from './session.ts';

/** The base address of the backend. */
export const backendUrl = (import.meta.env.VITE_BACKEND_URL ?? '/backend').replace(/\/$/, '');
/** The base address of the public API, which needs no account and may be another server. */
export const publicApiUrl = (import.meta.env.VITE_PUBLIC_API_URL ?? '/public-api').replace(
  /\/$/,
  '',
);

/** The search of the model service, for backends without one. */
const searchUrl = import.meta.env.VITE_MODEL_SEARCH_URL;

function endpointUrl({ base }: Endpoint, path: string): string {
  return base === 'search' && searchUrl
    ? searchUrl
    : (base === 'public' ? publicApiUrl : backendUrl) + path;
}

/** Whether the endpoint is on our backend, the only server that gets the token. */
function isOurs({ base }: Endpoint): boolean {
  return base === undefined || (base === 'search' && !searchUrl);
}

/** A failed call. `detail` is the server's sentence, if it sent one. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 without an answer. */
  declare readonly status: number;
  /** The server's stable code, or `no_response`, `unreadable`, `aborted`. */
  declare readonly code: string;
  readonly detail?: string | undefined;
  readonly retryAfterS?: number | undefined;

  constructor({
    message,
    ...failure
  }: Pick<ApiError, 'status' | 'code' | 'detail' | 'retryAfterS' | 'message'>) {
    super(message);
    Object.assign(this, failure);
  }
}

/** Whether there was no answer, or the server failed. */
export function isOutage(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 'no_response' || error.status >= 500;
}

/** The text to show for a failure: the server's sentence, else the fallback. */
export function errorText(error: unknown, fallback: string): string {
  return (error instanceof ApiError ? error.detail : undefined) ?? fallback;
}

/** Called when the server refuses a token. Resolves to whether to repeat the call with the new token. */
type UnauthorizedPolicy = (refusedToken: string) => Promise<boolean>;
let onUnauthorized: UnauthorizedPolicy = () => Promise.resolve(false);

/** Sets what happens on a 401. */
export function setUnauthorizedPolicy(policy: UnauthorizedPolicy): void {
  onUnauthorized = policy;
}

/** Called when our backend gives no answer, or fails. */
export const outageListeners = new Set<() => void>();

/** For refusals of a token that are no 401. Resolves to whether to repeat the call. */
export function renewRefusedToken(token: string): Promise<boolean> {
  return onUnauthorized(token);
}

let client: Promise<AxiosInstance> | undefined;

/** Axios is loaded with the first call, so that it does not delay the first paint. */
function loadClient(): Promise<AxiosInstance> {
  client ??= import('axios').then(({ default: axios }) =>
    axios.create({ adapter: 'fetch', validateStatus: () => true }),
  );
  // After a failure the next call tries again.
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

/** With names in lower case, which not every `fetch` guarantees. */
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
  // For a form the browser sets the type, with the boundary.
  const isJson = endpoint.method !== 'GET' && endpoint.isForm !== true;
  return {
    // Not that of the browser: the page may have another.
    'Accept-Language': language,
    Accept: endpoint.output === fileAnswer ? 'image/*, application/json' : 'application/json',
    ...(isJson && { 'Content-Type': 'application/json' }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
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

/** Sends a call and resolves to the answer of any status. Rejects with an `ApiError` without an answer. */
export async function send(
  endpoint: Endpoint,
  input: Record<string, unknown>,
  options: {
    token: string | undefined;
    signal: AbortSignal | undefined;
    /** The answer is read as a stream. */
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
      ...(options.signal && { signal: options.signal }),
      // What is deleted as the page is being closed reaches the server all the same.
      ...(endpoint.method === 'DELETE' && { fetchOptions: { keepalive: true } }),
    });
  } catch (error) {
    throw new ApiError({
      status: 0,
      code: options.signal?.aborted ? 'aborted' : 'no_response',
      message: error instanceof Error ? error.message : '',
    });
  }
}

type RequestOptions = { signal: AbortSignal | undefined; isStream?: boolean };

/** Sends a call with the session's token. Rejects with an `ApiError` for a refusal or a missing answer. */
export async function request<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: RequestOptions,
): Promise<AxiosResponse<unknown>> {
  try {
    return await sendWithToken(endpoint, input, options);
  } catch (error) {
    if (isOurs(endpoint) && isOutage(error)) {
      outageListeners.forEach((listen) => listen());
    }
    throw error;
  }
}

async function sendWithToken<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: RequestOptions,
): Promise<AxiosResponse<unknown>> {
  const session = getSession();
  const token = session.status === 'member' && isOurs(endpoint) ? session.token : undefined;
  let response = await send(endpoint, input, { ...options, token });

  const isLogin = [login.path, loginWithTelegram.path].includes(endpoint.path);
  if (response.status === 401 && token !== undefined && !isLogin) {
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
 * Calls an endpoint. Rejects with an `ApiError` for a refusal, a missing answer, or an answer of the
 * wrong shape. The server checks `input`.
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
