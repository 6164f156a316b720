import { describe, expect, test } from 'vitest';
import { documentViolations, exportedTypes, sourceViolations } from './vocabulary.ts';

const wordsIn = (text: string) => sourceViolations('example.ts', text).map(({ line, word }) => `${line}: ${word}`);

describe('the vocabulary check of source code', () => {
  test.each([
    ['a bare participle as the name of a constant', 'const found = 1;', ['1: found']],
    ['a bare participle in a destructured parameter', 'const size = ({ taken }: Row) => 1;', ['1: taken']],
    ['a bare participle as the name of a variable', 'let stored = 1;', ['1: stored']],
    ['a bare participle as the name of a parameter', 'const size = (opened: Row) => 1;', ['1: opened']],
    ['a bare participle as the name of a function', 'function pending() {}', ['1: pending']],
    ['a bare participle as the new name of a destructured field', 'const { id: deleted } = row;', ['1: deleted']],
    ['a bare participle as the name of an array element', 'const [failed] = rows;', ['1: failed']],
    ['a replaced word inside a name', 'function useOwnText() {}', ['1: useOwnText']],
    ['a replaced word in a comment', '/** Whoever reads it. */\nconst rows = 1;', ['1: Whoever']],
    ['a replaced word in a line comment', 'const rows = 1; // Sent at once.', ['1: at once']],
    ['a replaced word in a test name', "test('nobody is told', () => {});", ['1: nobody']],
    ['a replaced word in the name of a parameterized test', "test.each([1])('made anew', () => {});", ['1: anew']],
  ])('reports %s', (_, text, expected) => {
    expect(wordsIn(text)).toEqual(expected);
  });

  test.each([
    ['a participle with its noun', 'const foundRows = 1;'],
    ['a bare participle as a destructured field', 'const { stored } = limits;'],
    ['a bare participle as a property', 'type Row = { deleted: boolean }; const row = { sent: 1 };'],
    ['a boolean', 'const isShown = true;'],
    ['a longer word that contains a replaced one', 'const owner = 1; const navigate = 2;'],
    ['a name that equals a property of every object', 'class Row { constructor: string }'],
    ['an option of a library', 'const options = { keepAlive: true };'],
    ['text that is neither a comment nor a test name', "const message = 'nobody';"],
    ['an address in a string', "const address = 'https://whoever.example';"],
  ])('accepts %s', (_, text) => {
    expect(wordsIn(text)).toEqual([]);
  });
});

test('the vocabulary check of a document reports the line, and ignores code spans', () => {
  expect(documentViolations('a.md', 'First line.\nIt is indexed anew by `anew()`.')).toEqual([
    { file: 'a.md', line: 2, word: 'anew', instead: 'again, re-…' },
  ]);
});

test('only exported type declarations count as exported types', () => {
  const text =
    'type A = 1;\nexport type B = A;\nexport interface C {}\nexport { type D } from "./d.ts";\nexport const e = 1;';
  expect(exportedTypes('example.ts', text)).toEqual(['B', 'C']);
});
