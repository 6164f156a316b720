import { isIP } from 'node:net';

/**
 * Removes what proxies and sockets add to an IP address: brackets and port, an IPv6 zone, the prefix of an IPv4-mapped
 * address. Returns an empty string if the rest is not an IP address.
 */
export function normalizeClientAddress(rawAddress: string): string {
  const address = rawAddress
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^((?:\d+\.){3}\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) > 0 ? address : '';
}
