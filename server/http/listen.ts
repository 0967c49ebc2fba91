/** Listens for requests, with limits on connections and on how long a request may take to arrive. */
import { serve } from '@hono/node-server';
import { Server } from 'node:http';
import { type AddressInfo } from 'node:net';

export const listenRules = {
  /** From the first byte, or from the connection without one. */
  headersMs: 15_000,
  /** With the body. A picture of 20 MB arrives in it at 3 Mbit/s. */
  requestMs: 60_000,
  /** Longer than proxies keep theirs, so that none sends a request into a connection that ends. */
  keepAliveMs: 65_000,
  /** How often connections are looked at for these times. */
  checkEveryMs: 5000,
  /** Of all callers together: further ones are closed at once. Each page that follows a chat has one. */
  maxConnections: 2000,
  maxRequestsPerConnection: 1000,
} as const;

type Options = {
  readonly fetch: Parameters<typeof serve>[0]['fetch'];
  readonly port: number;
  readonly host: string;
  readonly onListening: (address: AddressInfo) => void;
  /** While it holds, connections end with their next answer, so that none is idle when the server closes. */
  readonly isStopping?: () => boolean;
  /** Replaced by tests that do not wait a minute. */
  readonly rules?: { readonly [Name in keyof typeof listenRules]: number };
};

export function listen({
  fetch,
  port,
  host,
  onListening,
  isStopping = () => false,
  rules = listenRules,
}: Options): Server {
  const serverOptions = {
    headersTimeout: rules.headersMs,
    requestTimeout: rules.requestMs,
    keepAliveTimeout: rules.keepAliveMs,
    connectionsCheckingInterval: rules.checkEveryMs,
  };
  const server = serve({ fetch, port, hostname: host, serverOptions }, onListening);
  if (!(server instanceof Server)) {
    throw new TypeError('Only HTTP/1 is served here');
  }
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive &&= !isStopping();
  });
  server.maxConnections = rules.maxConnections;
  server.maxRequestsPerSocket = rules.maxRequestsPerConnection;
  return server;
}
