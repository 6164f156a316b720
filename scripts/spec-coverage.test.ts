import { describe, expect, it } from 'vitest';
import {
  declaredTests,
  missingLiterals,
  readRows,
  renumberRows,
  sourceOf,
  specificationText,
  specificationWords,
} from './spec-coverage.ts';

const FILE = 'scripts/spec-coverage.test.ts';

describe('the coverage of the specification', () => {
  it('reads number, statement and proofs of a row, also when a cell contains a bar', () => {
    const table = '| # | Statement | Proof |\n|---|---|---|\n| 1 | a \\| b | x > y<br>z > w |';
    expect(readRows(table)).toEqual([{ number: 1, statement: 'a | b', proofs: ['x > y', 'z > w'] }]);
    expect(readRows('| 2 | a statement | |')).toEqual([{ number: 2, statement: 'a statement', proofs: [] }]);
  });

  it('numbers rows from 1 after one was inserted and one removed', () => {
    const table = '| # | Statement |\n|---|---|\n| 4 | a | x |\n| 4 | 2 | y |\n| 9 | c | z |';
    expect(renumberRows(table)).toBe('| # | Statement |\n|---|---|\n| 1 | a | x |\n| 2 | 2 | y |\n| 3 | c | z |');
  });

  it.each([['first'], ['second']])('finds the tests of a table, as this one for %s', (row) => {
    const tests = declaredTests(FILE);
    expect(tests.filter(({ isTable }) => isTable).map(({ name }) => name)).toEqual([
      'finds the tests of a table, as this one for %s',
    ]);
    expect(['first', 'second']).toContain(row);
  });

  it('does not take the source of one test as the source of another', () => {
    const tests = declaredTests(FILE);
    const sources = tests.map((test) => sourceOf(FILE, test));
    const matchingSources = sources.filter((source) => source.includes(`${'签到'}失败`));
    expect(matchingSources).toHaveLength(1);
    expect(sources.every((source) => source.includes('const FILE ='))).toBe(true);
  });

  it('names code spans and Chinese texts that do not occur in the source', () => {
    const source = "page.getByText('签到成功'); timeout: 30_000";
    expect(missingLiterals('after `30000` ms it says 签到成功', source)).toEqual([]);
    expect(missingLiterals('after `60000` ms it says 签到失败', source)).toEqual(['60000', '签到失败']);
  });

  it('compares words, numbers and Chinese texts, without headings, table headers and plurals', () => {
    const text = specificationText('## 1. Calls\n\n| Route | Purpose |\n|---|---|\n| / | homes 刚刚 60 |');
    expect([...specificationWords(text)]).toEqual(['home', '刚刚', '60']);
  });
});
