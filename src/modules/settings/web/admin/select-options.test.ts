import { expect, test } from 'vitest';
import { parseGroupedOptions } from './select-options.ts';

test('parseGroupedOptions collects options with the same group and keeps options without a group', () => {
  expect(parseGroupedOptions('.docx:文字文档/.docx\n.xls:表格/.xls\n.docm:文字文档/.docm\nall')).toEqual([
    { value: 'all', label: 'all' },
    {
      label: '文字文档',
      options: [
        { value: '.docx', label: '.docx' },
        { value: '.docm', label: '.docm' },
      ],
    },
    { label: '表格', options: [{ value: '.xls', label: '.xls' }] },
  ]);
});
