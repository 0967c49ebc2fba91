/** Network addresses: which proxies may say for whom they call, and whose call it is. */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** The proxies that are believed. */
export type TrustedProxies = {
  /** How many of them stand one behind another at most; 0 believes none. */
  readonly max: number;
  readonly has: (address: string) => boolean;
};

/** What stands for the address of a request without a socket, which only tests make. */
export const noSocket = 'local';

const maxProxies = 10;

function toFamily(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

function toList(networks: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length, ...rest] = network.split('/');
    const maxLength = isIPv4(address) ? 32 : 128;
    const isLength =
      length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= maxLength);
    if (isIP(address) === 0 || !isLength || rest.length > 0) {
      return undefined;
    }
    list.addSubnet(address, length === undefined ? maxLength : Number(length), toFamily(address));
  }
  return list;
}

const loopback = toList(['127.0.0.0/8', '::1']);

function isLoopback(address: string): boolean {
  return (
    address === noSocket ||
    (isIP(address) > 0 && loopback?.check(address, toFamily(address)) === true)
  );
}

/**
 * Reads a number of proxies on this machine, or a list of addresses and networks; undefined when it is neither. A
 * number alone would believe every caller who reaches the server directly.
 */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d+$/.test(text)) {
    return Number(text) <= maxProxies ? { max: Number(text), has: isLoopback } : undefined;
  }
  const list = toList(text.split(',').map((network) => network.trim()));
  return list === undefined
    ? undefined
    : {
        max: maxProxies,
        has: (address) => isIP(address) > 0 && list.check(address, toFamily(address)),
      };
}

/** IPv4 that came over IPv6 is the same address. */
function toPlain(address: string): string {
  const plain = address.toLowerCase();
  const inner = plain.replace(/^::ffff:/, '');
  return isIPv4(inner) ? inner : plain;
}

/** Whether a believed proxy has sent a request, whose other headers are then believed, too. */
export function isFromProxy(socket: string, { max, has }: TrustedProxies): boolean {
  return max > 0 && has(toPlain(socket));
}

/**
 * Whose call it is. Each proxy appends the address that called it to `forwardedFor`, so that an entry is true when a
 * believed proxy wrote it. An IPv6 caller has a whole /64 network.
 */
export function findCaller(socket: string, forwardedFor: string, trusted: TrustedProxies): string {
  let caller = toPlain(socket);
  const chain = forwardedFor.split(',').map((entry) => toPlain(entry.trim()));
  for (let hop = 0; hop < trusted.max && trusted.has(caller); hop += 1) {
    const named = chain.pop() ?? '';
    if (isIP(named) === 0) {
      break;
    }
    caller = named;
  }
  return isIPv6(caller) ? getNetwork(caller) : caller;
}

/** The first four of the eight groups of an IPv6 address; `::` stands for as many zeros as are missing. */
function getNetwork(address: string): string {
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
