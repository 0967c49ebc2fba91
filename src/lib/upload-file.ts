/** Sends a form with a file and says how much of it has been sent, which `fetch` cannot. */
import * as v from 'valibot';

import {
  type Answer,
  type CallInput,
  type Endpoint,
  splitInput,
} from '#contract/endpoints/endpoint';
import { readErrorBody } from '#contract/endpoints/errors';

import { ApiError, backendUrl, renewRefusedToken } from './api.ts';
import { language } from './language.ts';
import { getSession } from './session.ts';

type UploadOptions = {
  readonly signal: AbortSignal;
  /** Called with the part that has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
};

/** Calls an endpoint whose body is a form. Rejects with an `ApiError` as `call` does. */
export async function uploadFile<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  options: UploadOptions,
): Promise<Answer<E>> {
  const token = readToken();
  let sent = await send(endpoint, input, options);
  if (sent.status === 401 && token !== undefined && (await renewRefusedToken(token))) {
    sent = await send(endpoint, input, options);
  }
  const body = readJson(sent.text);
  if (sent.status < 200 || sent.status > 299) {
    const { detail, code } = readErrorBody(body);
    throw failure({ status: sent.status, code: code ?? `http_${sent.status}`, detail });
  }
  const answer = v.safeParse<E['output']>(endpoint.output, body);
  if (!answer.success) {
    throw failure({ status: sent.status, code: 'unreadable' });
  }
  return answer.output;
}

function failure(
  facts: Pick<ApiError, 'status' | 'code'> & { readonly detail?: string | undefined },
) {
  return new ApiError({ message: `The upload failed: ${facts.code}`, ...facts });
}

function readToken(): string | undefined {
  const session = getSession();
  return session.status === 'member' ? session.token : undefined;
}

function headers(): Readonly<Record<string, string>> {
  const token = readToken();
  return {
    Accept: 'application/json',
    // Not that of the browser: the page may have another.
    'Accept-Language': language,
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function send(
  endpoint: Endpoint,
  input: Readonly<Record<string, unknown>>,
  { signal, onProgress }: UploadOptions,
): Promise<{ readonly status: number; readonly text: string }> {
  const { path, body } = splitInput(endpoint, input);
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    form.append(name, value instanceof Blob ? value : String(value));
  }
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, backendUrl + path);
    for (const [name, value] of Object.entries(headers())) {
      request.setRequestHeader(name, value);
    }
    const abort = () => request.abort();
    const end = () => signal.removeEventListener('abort', abort);
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total === 0 ? 0 : loaded / total),
    );
    request.addEventListener('load', () => {
      end();
      resolve({ status: request.status, text: request.responseText });
    });
    request.addEventListener('error', () => {
      end();
      reject(failure({ status: 0, code: 'no_response' }));
    });
    request.addEventListener('abort', () => {
      end();
      reject(failure({ status: 0, code: 'aborted' }));
    });
    signal.addEventListener('abort', abort);
    request.send(form);
  });
}
