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

const readFirst = (bytes: string) => {
  const file = path.join(folder, 'book.xls');
  writeFileSync(file, bytes);
  return readHtmlSheets(file)[0];
};
const row = (texts: string[], attributes = '') =>
  `<tr ${attributes}>${texts.map((text) => `<td>${text}</td>`).join('')}</tr>`;

describe('a web page saved as a workbook', () => {
  test.each([
    ['the style height:0', 'style="height:0"'],
    ['the style height:0.0pt', "style='mso-height-source:userset;height:0.0pt'"],
    ['the attribute height', 'height=0'],
    ['the style display:none', 'style="display:none"'],
    ['a rule of the page', 'class="flat"'],
  ])('is read without a row that %s hides, and the other rows keep their numbers', (_, attributes) => {
    const rows = row(['甲']) + row(['密'], attributes) + row(['丙'], 'style="height:0.5pt"');
    const page = webPage(`<table>${rows}</table>`, '<style>.flat{height:0}</style>');
    expect(readFirst(page)).toMatchObject({ rows: [['甲'], ['丙']], rowNumbers: [1, 3] });
  });

  test('shows a row whose style overrides the attribute height', () => {
    const page = webPage(`<table>${row(['甲'], 'height=0 style="height:15pt"')}</table>`);
    expect(readFirst(page)).toMatchObject({ rows: [['甲']] });
    expect(readFirst(page)).not.toHaveProperty('rowNumbers');
  });

  test('is read without a column of width 0, and the other columns keep their numbers', () => {
    const page = webPage(`<table><col><col width=0><col>${row(['甲', '密', '丙'])}</table>`);
    expect(readFirst(page)).toMatchObject({ rows: [['甲', '丙']], columnNumbers: [1, 3] });
  });

  test('with text beside its tables keeps the numbers of the columns', () => {
    const page = webPage(`<h1>报表</h1><table><col><col width=0><col><tr><td>a<td>密<td>c</table><p>完`);
    expect(readFirst(page)).toMatchObject({ rows: [['报表'], ['a', 'c'], ['完']], columnNumbers: [1, 3] });
  });

  test('is read with the column behind a hidden column whose cells are hidden, too', () => {
    const page = webPage(
      `<table><col><col style="display:none"><col><tr><td>a<td style="display:none">密<td>c${row(['一', '密', '三'])}</table>`,
    );
    expect(readFirst(page)).toMatchObject({
      rows: [
        ['a', 'c'],
        ['一', '三'],
      ],
      columnNumbers: [1, 3],
    });
  });

  test('is read with the cell behind a hidden cell of a visible column in its place, as browsers show it', () => {
    const page = webPage('<table><tr><td>a<td style="display:none">密<td>c</table>');
    expect(readFirst(page)).toMatchObject({ rows: [['a', 'c']] });
  });

  test.each([
    ['a visible row', row(['甲']), undefined],
    ['a hidden row', row(['密'], 'style="display:none"') + row(['甲']), [1, 3]],
    ['a hidden group of rows', `<tbody style="display:none">${row(['密'])}</tbody>${row(['甲'])}`, [1, 3]],
    ['a cell without a row', '<td>甲</td>', undefined],
  ])('shows the caption before %s as a row', (_, rows, rowNumbers) => {
    const sheet = readFirst(webPage(`<table><caption>标题</caption>${rows}</table>`));
    expect(sheet).toMatchObject({ rows: [['标题'], ['甲']] });
    expect(sheet?.rowNumbers).toEqual(rowNumbers);
  });

  test.each(['thead', 'tbody', 'tfoot'])('counts the rows of a hidden %s', (group) => {
    const hiddenRow = `<tr><td rowspan=2>密</td><td><table>${row(['密'])}</table></td></tr>`;
    const hiddenGroup = `<${group} style="display:none">${hiddenRow}${row(['密'], 'style="display:none"')}</${group}>`;
    const rows = `<tbody>${row(['甲'])}</tbody>${hiddenGroup}<tbody>${row(['丙', '丁'])}</tbody>`;
    expect(readFirst(webPage(`<table>${rows}</table>`))).toMatchObject({
      rows: [['甲'], ['丙', '丁']],
      rowNumbers: [1, 4],
    });
  });

  test('keeps the text of a row that ends within a paragraph', () => {
    const page = webPage('<table><tr><td><p>甲<tr><td><p>乙</table>');
    expect(readFirst(page)).toMatchObject({ rows: [['甲'], ['乙']] });
  });

  test('shows a merged cell whose first column is hidden in its first visible column', () => {
    const page = webPage(
      `<table><col width=0><col><col><tr><td colspan=2>合并<td>乙${row(['密', '二', '三'])}</table>`,
    );
    expect(readFirst(page)).toMatchObject({
      rows: [
        ['合并', '乙'],
        ['二', '三'],
      ],
      columnNumbers: [2, 3],
    });
  });

  test('keeps the columns of merged cells beside hidden rows', () => {
    const from = '<tr><td rowspan=3>甲</td><td>一</td></tr>';
    const fromHidden = '<tr style="height:0"><td>密</td><td rowspan=2>密</td></tr><tr><td>五</td></tr>';
    const rows = `${from}${row(['密'], 'style="height:0"')}${row(['三'])}${fromHidden}${row(['六', '七'])}`;
    expect(readFirst(webPage(`<table>${rows}</table>`))).toMatchObject({
      rows: [['甲', '一'], ['', '三'], ['五'], ['六', '七']],
      rowNumbers: [1, 3, 5, 6],
    });
  });
});
