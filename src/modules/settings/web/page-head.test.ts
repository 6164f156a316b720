import { expect, it } from 'vitest';
import { breadcrumbJsonLd, canonicalPath, joinKeywords, jsonForScript } from './page-head.tsx';

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

it('nothing that a title holds can leave the data of a page', () => {
  const json = jsonForScript([{ name: '</script><script>alert(1)</script><!--' }]);
  expect(json).not.toContain('<');
  expect(JSON.parse(json)).toEqual([
    { '@context': 'https://schema.org', name: '</script><script>alert(1)</script><!--' },
  ]);
});

it('search engines are shown the way from the home page', () => {
  const way = [
    { title: '教育', path: '/category/1' },
    { title: '讲义', path: '/document/7' },
  ];
  expect(breadcrumbJsonLd((path) => `https://books.example${path}`, way)).toEqual({
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: '首页', item: 'https://books.example/' },
      { '@type': 'ListItem', position: 2, name: '教育', item: 'https://books.example/category/1' },
      { '@type': 'ListItem', position: 3, name: '讲义', item: 'https://books.example/document/7' },
    ],
  });
});
