import { expect, test } from 'vitest';
import { describeUserAgent, isHandheld } from './describe-user-agent.ts';

const mozilla = 'Mozilla/5.0';
const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const iphone = `${mozilla} (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15`;

test.each([
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome · Windows'],
  [`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge · Windows'],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15`,
    'Safari · macOS',
  ],
  [`${mozilla} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox · Linux'],
  [`${iphone} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari · iPhone'],
  [`${iphone} Mobile/15E148 MicroMessenger/8.0.60`, '微信 · iPhone'],
  [`${mozilla} (Linux; Android 15; Pixel 9) ${webkit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome · Android'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', '未知设备'],
])('the user agent %s is displayed as %s', (userAgent, name) => {
  expect(describeUserAgent(userAgent)).toBe(name);
});

test('isHandheld distinguishes phones from desktop computers', () => {
  expect(isHandheld(`${iphone} Mobile/15E148`)).toBe(true);
  expect(isHandheld(`${mozilla} (Windows NT 10.0; Win64; x64)`)).toBe(false);
});
