/** Whether a network address is one of the open internet: nobody may have the server look behind its own walls. */
import { BlockList, isIP } from 'node:net';

/** What is set aside for private, local, shared, testing and other uses. */
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
  // Tunnels, documentation: what they lead to may be anything.
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  reserved.addSubnet(network, prefix, 'ipv6');
}

const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

/** False for what is no address, and for IPv4 in IPv6, which hides what is behind. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) {
    return !reserved.check(address, 'ipv4');
  }
  return family === 6 && global.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}
