/** Who a request comes from. */
import { isIPv4, isIPv6 } from 'node:net';

/** The user that the session of a request belongs to. */
export type SessionUser = { readonly telegramId: number; readonly sessionId: string };

/** A user, or a visitor without a Telegram user ID, who is known by the network address alone. */
export type Requester = { readonly telegramId: number | undefined; readonly address: string };

/** Where a request comes from: what is told to users about their logins, and what is counted. */
export type Caller = { readonly address: string; readonly userAgent: string | undefined };

/** The first part of an address, such as `203.0.113.*`; '' for what is no address. IPv6 comes as the first four groups. */
export function getAddressPrefix(address: string): string {
  const plain = address.replace(/^::ffff:/, '');
  if (isIPv4(plain)) {
    return plain.replace(/\d+$/, '*');
  }
  const isNetwork = isIPv6(`${address}::`);
  return isNetwork || isIPv6(address) ? `${address.split(':').slice(0, 3).join(':')}:*` : '';
}
