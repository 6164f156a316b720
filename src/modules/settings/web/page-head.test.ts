import { expect, it } from 'vitest';
import { canonicalPath, joinKeywords } from './page-head.tsx';

it('no keyword is said twice, whichever comma parts them', () => {
  expect(joinKeywords('豆库', '豆库', '豆库,文库，文档分享, 文库')).toBe('豆库,文库,文档分享');
  expect(joinKeywords(undefined, '', '文库')).toBe('文库');
});

it.each([
  ['/', '', '/'],
  ['/category/1/', '?from=mail', '/category/1'],
  ['/article', '?page=1', '/article'],
  ['/article', '?page=3&utm_source=x', '/article?page=3'],
  ['/article', '?page=abc', '/article'],
])('the page %s%s is known to search engines as %s', (pathname, search, path) => {
  expect(canonicalPath(pathname, search)).toBe(path);
});
