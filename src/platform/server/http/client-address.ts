import { isIP } from 'node:net';

/**
 * The address of a caller as it is usually written: gateways add a port, sockets a zone or the form an
 * IPv4 address has among those of IPv6. Empty for what is no address.
 */
export function clientAddress(told: string): string {
  const plain = told
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^((?:\d+\.){3}\d+):\d+$/, '$1')
    .replace(/%.*$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(plain) > 0 ? plain : '';
}
