/**
 * Asks a server whose name came from outside, at an address that was looked at first. `fetch` cannot
 * be told which address to take: between a look and its own lookup the name may lead elsewhere.
 */
import { type LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { request as askOverHttp } from 'node:http';
import { request as askOverHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

import { AppError } from '#server/lib/errors';

import { NoAnswer, type Question, type Reply } from './ask.ts';
import { isPublicAddress } from './public-address.ts';

export type Network = {
  /** All addresses of a name, of both kinds. */
  readonly lookup: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
};

const openInternet: Network = {
  lookup: (host) => lookUp(host, { all: true, verbatim: true }),
  isAllowed: isPublicAddress,
};

type ListedQuestion = Required<Pick<Question, 'timeoutMs' | 'maxBytes'>> &
  Pick<Question, 'signal'> & { readonly url: URL };

/**
 * The answer, whatever its status; redirects are not followed. Throws `download_refused` when the
 * name, or one of its addresses, leads to anything but the open internet, and `NoAnswer`.
 */
export async function askListed(
  { url, timeoutMs, maxBytes, signal: stop }: ListedQuestion,
  network: Network = openInternet,
): Promise<Reply> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = stop ? AbortSignal.any([stop, deadline]) : deadline;
  try {
    const addresses = await Promise.race([addressesOf(url, network), failAt(signal)]);
    if (addresses.length === 0 || !addresses.every(({ address }) => network.isAllowed(address))) {
      throw new AppError('download_refused');
    }
    return await read(url, { addresses, signal, maxBytes });
  } catch (error) {
    if (error instanceof AppError || error instanceof NoAnswer) {
      throw error;
    }
    const reason = stop?.aborted ? 'aborted' : deadline.aborted ? 'timeout' : 'unreachable';
    throw new NoAnswer(reason, error);
  }
}

async function addressesOf({ hostname }: URL, network: Network): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family === 0 ? network.lookup(host) : [{ address: host, family }];
}

/** Looking a name up cannot be called off, only not be waited for. */
function failAt(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

type Reading = {
  readonly addresses: readonly LookupAddress[];
  readonly signal: AbortSignal;
  readonly maxBytes: number;
};

function read(url: URL, { addresses, signal, maxBytes }: Reading): Promise<Reply> {
  const ask = url.protocol === 'https:' ? askOverHttps : askOverHttp;
  // What was looked at is what is connected to.
  const lookup: LookupFunction = (_host, { all }, answer) => {
    const [first] = addresses;
    if (all) {
      answer(null, [...addresses]);
    } else {
      answer(null, first?.address ?? '', first?.family);
    }
  };
  return new Promise((resolve, reject) => {
    const headers = { Accept: 'image/*', 'Accept-Encoding': 'identity' };
    const question = ask(url, { agent: false, lookup, signal, headers }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) {
          reject(new NoAnswer('too-large'));
          response.destroy();
        }
        chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('aborted', () => reject(new NoAnswer('unreachable')));
      response.on('end', () => {
        const type = response.headers['content-type'] ?? '';
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers({ 'Content-Type': type }),
          bytes: Buffer.concat(chunks),
        });
      });
    });
    question.on('error', reject);
    question.end();
  });
}
