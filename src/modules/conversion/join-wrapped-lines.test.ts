import { expect, test } from 'vitest';
import { joinWrappedLines } from './join-wrapped-lines.ts';
import { createSummary } from './summarize-text-file.ts';

const joinToLine = (text: string) => joinWrappedLines(text).line;

test('joinWrappedLines joins the lines of a Chinese sentence without a space', () => {
  expect(joinToLine('这座大桥于公元一九六八\n年建成通车，横跨长 \r\n 江。')).toBe(
    '这座大桥于公元一九六八年建成通车，横跨长江。',
  );
  expect(joinToLine('他在桥头停了很久才说：\n“桥建好了。”\n大家都笑了起来。')).toBe(
    '他在桥头停了很久才说：“桥建好了。” 大家都笑了起来。',
  );
});

test('joinWrappedLines keeps a space between Latin words, titles, cells and typed spaces', () => {
  expect(joinToLine('  The quick brown\nfox  jumps\n')).toBe('The quick brown fox jumps');
  expect(joinToLine('这一行的末尾是数据库索引\nPostgreSQL')).toBe('这一行的末尾是数据库索引 PostgreSQL');
  expect(joinToLine('第1章 历史\n长江大桥')).toBe('第1章 历史 长江大桥');
  expect(joinToLine('编号\t姓名\t城市\t金额\t备注\n一\t张三')).toBe('编号 姓名 城市 金额 备注 一 张三');
});

test('joinWrappedLines returns the offset of each character in the text', () => {
  const text = '前面不要。这座大桥于公元一九六八\n年建成 通车。后面也不要';
  const { line, at } = joinWrappedLines(text, 5, text.indexOf('后面'));
  expect(line).toBe('这座大桥于公元一九六八年建成 通车。');
  expect(at).toHaveLength(line.length);
  expect(at.map((offset) => text[offset]).join('')).toBe(line);
  expect(joinWrappedLines('文  \n ', 0, 3)).toEqual({ line: '文', at: [0] });
});

test('createSummary joins the lines of a Chinese sentence without a space', () => {
  expect(createSummary('南京市长江大桥于一九六八\n年建成\u200b通车。')).toBe('南京市长江大桥于一九六八年建成 通车。');
});
