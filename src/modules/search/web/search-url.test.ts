import { expect, test } from 'vitest';
import { hitHref, parseSearchParams, searchHref, searchInputOf } from './search-url.ts';

const read = (search: string) => parseSearchParams(new URLSearchParams(search));

test('searchHref and parseSearchParams round-trip a query, and defaults are left out of the URL', () => {
  const query = read('wd=合同&ext=pdf&category_id=3&sort=view_count&page=2');
  expect(query).toMatchObject({ wd: '合同', ext: 'pdf', category_id: '3', sort: 'view_count' });
  expect(read(searchHref(query).split('?')[1] ?? '')).toEqual(query);
  expect(searchHref({ ...query, ext: '', category_id: '', sort: 'default', page: 1 })).toBe(
    `/search?wd=${encodeURIComponent('合同')}`,
  );
});

test('parseSearchParams ignores unknown filter values and cuts off a long query', () => {
  const query = read(`wd=${'长'.repeat(5000)}&ext=exe&pages=9&fee_type=x&sort=no&page=-3&category_id=a`);
  expect(query).toMatchObject({ ext: '', pages: '', fee_type: '', category_id: '', page: 1 });
  expect(query.sort).toBe('default');
  expect(query.wd).toHaveLength(200);
});

test('searchInputOf sends only the selected filters', () => {
  expect(searchInputOf(read('wd=%22a%22&category_id=7&pages=11-50&language=zh-CN'))).toEqual({
    wd: '"a"',
    sort: 'default',
    page: 1,
    size: 10,
    collapse_twins: true,
    category_id: [7],
    pages: '11-50',
    language: ['zh-CN'],
  });
});

test('hitHref links to the page of a hit with the words to highlight', () => {
  expect(hitHref(4, '长江 大桥', 12)).toBe(`/document/4?wd=${encodeURIComponent('长江 大桥')}#p=12`);
  expect(hitHref(4, '')).toBe('/document/4');
});
