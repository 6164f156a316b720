import { expect, it } from 'vitest';
import { breadcrumbJsonLd, canonicalPath, joinKeywords, jsonForScript } from './page-head.tsx';

it('joinKeywords removes duplicates and splits at ASCII and full-width commas', () => {
  expect(joinKeywords('豆库', '豆库', '豆库,文库，文档分享, 文库')).toBe('豆库,文库,文档分享');
  expect(joinKeywords(undefined, '', '文库')).toBe('文库');
});

it.each([
  ['/', '', '/'],
  ['/category/1/', '?from=mail', '/category/1'],
  ['/article', '?page=1', '/article'],
  ['/article', '?page=3&utm_source=x', '/article?page=3'],
  ['/article', '?page=abc', '/article'],
])('the page %s%s has the canonical path %s', (pathname, search, path) => {
  expect(canonicalPath(pathname, search)).toBe(path);
});

it('jsonForScript escapes text that would end the script element', () => {
  const json = jsonForScript([{ name: '</script><script>alert(1)</script><!--' }]);
  expect(json).not.toContain('<');
  expect(JSON.parse(json)).toEqual([
    { '@context': 'https://schema.org', name: '</script><script>alert(1)</script><!--' },
  ]);
});

it('breadcrumbJsonLd lists the pages from the home page to the current one', () => {
  const trail = [
    { title: '教育', path: '/category/1' },
    { title: '讲义', path: '/document/7' },
  ];
  expect(breadcrumbJsonLd((path) => `https://books.example${path}`, trail)).toEqual({
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: '首页', item: 'https://books.example/' },
      { '@type': 'ListItem', position: 2, name: '教育', item: 'https://books.example/category/1' },
      { '@type': 'ListItem', position: 3, name: '讲义', item: 'https://books.example/document/7' },
    ],
  });
});
