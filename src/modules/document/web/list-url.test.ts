import { describe, expect, test } from 'vitest';
import { mostFrequentKeywords } from './keyword-tags.tsx';
import { listHref, readListQuery, toListInput } from './list-url.ts';

const read = (search: string, page = 1) => readListQuery(new URLSearchParams(search), page);

describe('the query of a document list', () => {
  test('is written to the URL without defaults', () => {
    const query = read('sort=view&ext=pdf&fee_type=free&duration=week&view=cover', 3);
    expect(listHref('/category/4', query)).toBe(
      '/category/4?sort=view&ext=pdf&fee_type=free&duration=week&view=cover&page=3',
    );
    expect(listHref('/category', read('ext='))).toBe('/category');
  });

  test('ignores unknown values in the URL', () => {
    expect(read('sort=constructor&ext=exe&fee_type=x&duration=toString&view=y')).toEqual(read(''));
  });

  test('requests only readable documents, ten per page', () => {
    const input = toListInput(read('sort=pages&ext=doc&fee_type=charge&duration=day', 2), 7);
    const [from = ''] = input.created_at ?? [];
    expect(input).toEqual({
      status: [2],
      order: 'pages desc',
      page: 2,
      size: 10,
      collapse_twins: true,
      category_id: [7],
      ext: 'doc',
      fee_type: 'charge',
      created_at: [from],
    });
    expect(Date.now() - Date.parse(from)).toBeGreaterThanOrEqual(86_400_000);
    expect(toListInput(read(''), undefined)).toEqual({ status: [2], page: 1, size: 10, collapse_twins: true });
  });
});

test('mostFrequentKeywords returns distinct keywords, most frequent first', () => {
  const documents = ['唐诗,李白', '诗词， 李白', '', '李白,唐诗'].map((keywords) => ({ keywords }));
  expect(mostFrequentKeywords(documents)).toEqual(['李白', '唐诗', '诗词']);
});
