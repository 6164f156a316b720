import { expect, test } from 'vitest';
import { htmlCacheKey } from './html-cache.ts';

test.each([
  ['/', '/'],
  ['/?utm_source=x&from=singlemessage', '/'],
  ['/?x=1', null],
  ['/category/3?page=2&sort=view', '/category/3?page=2&sort=view'],
  ['/document/12?page=3&from=mail', '/document/12?page=3'],
  ['/document/12/', null],
  ['/search?wd=a&page=2', '/search?wd=a&page=2'],
  ['/search?wd=a&q=b', null],
  ['/login', null],
  ['/article?page=2', '/article?page=2'],
  ['/article/about', null],
  ['/admin', null],
  ['/user', null],
  ['/user/3/document?page=2', '/user/3/document?page=2'],
  [`/document/12?wd=${'a'.repeat(300)}`, null],
])('htmlCacheKey returns for %s the key %s', (url, key) => {
  expect(htmlCacheKey(url)).toBe(key);
});
