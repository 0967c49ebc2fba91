/**
 * Requests to a server whose name a user or another service has given. The name must resolve to
 * public addresses, so that a request cannot reach the operator's private network. `fetch` cannot be
 * told which address to use, and the name may resolve differently the second time; `node:http` can.
 */
import { type LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

import { AppError } from '#server/lib/errors';
import { timed } from '#server/lib/telemetry';

import { type FetchReply, type FetchRequest, NoReply, watchCall } from './fetch-json.ts';

export type Network = {
  /** All IPv4 and IPv6 addresses of a host name. */
  readonly lookup: (host: string) => Promise<readonly LookupAddress[]>;
  readonly isAllowed: (address: string) => boolean;
};

const publicInternet: Network = {
  lookup: (host) => lookUp(host, { all: true, verbatim: true }),
  isAllowed: isPublicAddress,
};

type AllowlistedRequest = Required<Pick<FetchRequest, 'timeoutMs' | 'maxBytes'>> &
  Pick<FetchRequest, 'signal'> & {
    readonly url: URL;
    /** Types of files; pictures when absent. */
    readonly accept?: string;
  };

/**
 * Returns responses of every status. Redirects are not followed; where they lead is a header of the reply. Throws
 * `NoReply`, and `download_refused` when one of the addresses is not public.
 */
export async function fetchAllowlisted(
  { url, timeoutMs, maxBytes, signal: stop, accept = 'image/*' }: AllowlistedRequest,
  network: Network = publicInternet,
): Promise<FetchReply> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = stop ? AbortSignal.any([stop, deadline]) : deadline;
  try {
    const addresses = await Promise.race([resolveAllowed(url, network), rejectOnAbort(signal)]);
    return await timed(watchCall('pictures'), () =>
      read(url, { addresses, signal, maxBytes, accept }),
    );
  } catch (error) {
    if (error instanceof AppError || error instanceof NoReply) {
      throw error;
    }
    const reason = stop?.aborted ? 'aborted' : deadline.aborted ? 'timeout' : 'unreachable';
    throw new NoReply(reason, error);
  }
}

/** Throws `download_refused` when one of the addresses is not public, or what the look-up of the name throws. */
export async function resolveAllowed(
  url: URL,
  network: Network = publicInternet,
): Promise<readonly LookupAddress[]> {
  const addresses = await resolveHost(url, network);
  if (addresses.length === 0 || !addresses.every(({ address }) => network.isAllowed(address))) {
    throw new AppError('download_refused');
  }
  return addresses;
}

async function resolveHost({ hostname }: URL, network: Network): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  return family === 0 ? network.lookup(host) : [{ address: host, family }];
}

/** A DNS lookup cannot be cancelled, but the wait for it can. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

type Reading = {
  readonly addresses: readonly LookupAddress[];
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly accept: string;
};

function read(url: URL, { addresses, signal, maxBytes, accept }: Reading): Promise<FetchReply> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  // Connects to the addresses that were checked.
  const lookup: LookupFunction = (_host, { all }, callback) => {
    const [first] = addresses;
    if (all) {
      callback(null, [...addresses]);
    } else {
      callback(null, first?.address ?? '', first?.family);
    }
  };
  return new Promise((resolve, reject) => {
    const headers = {
      Accept: accept,
      'Accept-Encoding': 'identity',
      // Some servers of pictures refuse requests that do not say who asks.
      'User-Agent': 'Mozilla/5.0 (compatible; Nori)',
    };
    const sent = request(url, { agent: false, lookup, signal, headers }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) {
          reject(new NoReply('too-large'));
          response.destroy();
        }
        chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('aborted', () => reject(new NoReply('unreachable')));
      response.on('end', () => {
        const { 'content-type': type = '', location } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers({
            'Content-Type': type,
            ...(location === undefined ? {} : { Location: location }),
          }),
          bytes: Buffer.concat(chunks),
        });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Ranges for private networks, loopback, documentation and other special uses. */
const reserved = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  reserved.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  // Tunnels and documentation.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  reserved.addSubnet(network, prefix, 'ipv6');
}

const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is on the public internet. False for IPv4 addresses inside of IPv6. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) {
    return !reserved.check(address, 'ipv4');
  }
  return family === 6 && globalUnicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}
