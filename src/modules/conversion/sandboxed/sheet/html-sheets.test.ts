import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { webArchive, webPage } from '../../markup.fixture.ts';
import { readHtmlSheets } from './html-sheets.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'html-sheets-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (bytes: Buffer | string) => {
  const file = path.join(folder, 'book.xls');
  writeFileSync(file, bytes);
  return readHtmlSheets(file).map(({ name, rows }) => ({ name, rows }));
};

const HIDDEN_OPTIONS =
  '<!--[if gte mso 9]><xml><x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></xml><![endif]-->';
const worksheetEntry = (name: string, file: string) =>
  `<x:ExcelWorksheet><x:Name>${name}</x:Name><x:WorksheetSource HRef="book.files/${file}"/></x:ExcelWorksheet>`;
const sheet = (file: string, words: string, head = '') => ({
  location: `file:///C:/book.files/${file}`,
  html: webPage(`<table><tr><td>${words}</td></tr></table>`, head),
});
const book = (list: string) => ({
  location: 'file:///C:/book.htm',
  html: webPage('', `<!--[if gte mso 9]><xml>${list}</xml><![endif]-->`),
});

describe('a workbook saved as a web archive', () => {
  test('is read without sheets that are marked as hidden in their own page', () => {
    const archive = webArchive([
      book(worksheetEntry('甲', 's1.htm') + worksheetEntry('乙', 's2.htm')),
      sheet('s1.htm', 'one'),
      sheet('s2.htm', 'HIDDEN', HIDDEN_OPTIONS),
    ]);
    expect(read(archive)).toEqual([{ name: '甲', rows: [['one']] }]);
  });

  test('whose sheets are all hidden is rejected with that reason', () => {
    const archive = webArchive([book(worksheetEntry('甲', 's1.htm')), sheet('s1.htm', 'HIDDEN', HIDDEN_OPTIONS)]);
    expect(() => read(archive)).toThrow(expect.objectContaining({ reason: 'hiddenSheets' }));
  });

  test('whose list of sheets names other files is read without hidden sheets', () => {
    const archive = webArchive([
      book(worksheetEntry('甲', 'other.htm')),
      sheet('s1.htm', 'one'),
      sheet('s2.htm', 'HIDDEN', HIDDEN_OPTIONS),
    ]);
    expect(read(archive).flatMap(({ rows }) => rows)).toEqual([['one']]);
  });
});

test('readHtmlSheets leaves out comments that Excel saved into a web page', () => {
  const comment = "<div style='mso-element:comment-list'><div style='mso-element:comment'><p>COMMENT</p></div></div>";
  const cell = '<td>one<a class=msocomanchor href="#_msocom_1">[1]</a></td>';
  expect(read(webPage(`<table><tr>${cell}</tr></table>${comment}`))).toEqual([{ name: '表格', rows: [['one']] }]);
});
