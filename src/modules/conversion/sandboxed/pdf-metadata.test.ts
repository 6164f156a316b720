import { expect, test } from 'vitest';
import { translateSlideNames } from './pdf-metadata.ts';

test('slides without a name are numbered in Chinese by their page, others keep their names', () => {
  const outline = translateSlideNames([
    { depth: 0, title: 'Slide 1', page: 1 },
    { depth: 0, title: 'Slide 3', page: 2 },
    { depth: 0, title: 'Slide 4 of the tour', page: 3 },
    { depth: 0, title: '目录', page: 4 },
  ]);
  expect(outline.map(({ title }) => title)).toEqual(['幻灯片 1', '幻灯片 2', 'Slide 4 of the tour', '目录']);
});
