import { expect, test } from 'vitest';
import { normalizeClientAddress } from './normalize-client-address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:5678', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', ''],
  ['a:b', ''],
  ['', ''],
])('normalizeClientAddress turns %j into %j', (rawAddress, address) => {
  expect(normalizeClientAddress(rawAddress)).toBe(address);
});
