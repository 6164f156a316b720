import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { json, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, corpusFolder, hasCorpus, waitForRendition } from './conversion.fixture.ts';
import { flatOpenDocument, spreadsheetMl, toGbk, webArchive, webPage, wordMl } from './markup.fixture.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { renditionMeta } from './rendition-meta.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const hasOffice = (await isSandboxAvailable()) && (await findProgram('soffice')) !== null;

async function convert(name: string, bytes: Buffer | string) {
  const rendition = await waitForRendition(ctx, (await addRendition(ctx, name, Buffer.from(bytes))).id);
  const { format, state, reason, view } = rendition;
  if (state !== 'ready') return { format, state, reason, view, plainText: '', sheets: [], html: '' };
  const keys = renditionStorageKeys(rendition);
  const plainText = await text((await ctx.storage.get(keys.text)).stream);
  const { sheets } = renditionMeta.parse(await json((await ctx.storage.get(keys.meta)).stream));
  const html = view === 'flow' ? await text((await ctx.storage.get(keys.section(1))).stream) : '';
  return { format, state, reason, view, plainText, sheets: sheets.map(({ name }) => name), html };
}

describe('HTML named .xls', () => {
  const table =
    '<h3>Report</h3><table><tr><th rowspan="2">id</th><th colspan="2">score</th></tr><tr><th>a</th><th>b</th></tr><tr><td>110101199003071234</td><td>007</td><td style="display:none">HIDDEN</td><td>1<br>2</td></tr></table>';

  test('becomes a sheet with its heading, spanned cells and numbers as written', async () => {
    const sheet = await convert('导出.xls', webPage(table));
    expect(sheet).toMatchObject({ format: 'htmltable', state: 'ready', view: 'sheet' });
    expect(sheet.plainText).toBe('Report\nid\tscore\n\ta\tb\n110101199003071234\t007\t1\n2');
  });

  test('with text hidden by rules of its style sheet becomes a sheet without it', async () => {
    const style =
      '<style><!-- .gone, #secret, td.lost { display:none } i{visibility:hidden} .back{display:none} .back{display:table-row} --></style><style media="print">.screen{display:none}</style>';
    const rows =
      '<tr class="gone x"><td>HIDDEN</td></tr><tr class="lost back screen"><td>a</td><td class="lost">HIDDEN</td><td id="secret">HIDDEN</td><td>b<i>HIDDEN</i></td></tr>';
    const page = webPage(`<table>${rows}</table>`, style);
    expect(await convert('样式.xls', page)).toMatchObject({ state: 'ready', plainText: 'a\tb' });
  });

  test('in GBK is decoded by the encoding that it declares, or by detection', async () => {
    const body = '<table><tr><td>姓名</td><td>中文</td></tr></table>';
    for (const head of ['<meta charset="gb2312">', ''])
      expect((await convert('成绩.xls', toGbk(webPage(body, head)))).plainText).toBe('姓名\t中文');
  });

  test('with a layout table around the data keeps the rows of the data', async () => {
    const inner = '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>';
    const page = webPage(`<table><tr><td>${inner}</td></tr><tr><td>end</td></tr></table>`);
    expect((await convert('布局.xls', page)).plainText).toBe('a\tb\nc\td\nend');
  });

  test('as a web archive becomes the sheets that it lists, without hidden ones', async () => {
    const worksheet = (name: string, file: string, options = '') =>
      `<x:ExcelWorksheet><x:Name>${name}</x:Name><x:WorksheetSource HRef="book.files/${file}"/>${options}</x:ExcelWorksheet>`;
    const hiddenSheetOptions = '<x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions>';
    const main = webPage(
      '',
      `<!--[if gte mso 9]><xml><x:ExcelWorkbook>${worksheet('甲', 's1.htm')}${worksheet('乙', 's2.htm')}${worksheet('丙', 's3.htm', hiddenSheetOptions)}</x:ExcelWorkbook></xml><![endif]-->`,
    );
    const pages = ['one', 'two', 'HIDDEN'].map((words, index) => ({
      location: `file:///C:/book.files/s${index + 1}.htm`,
      html: webPage(`<table><tr><td>${words}</td></tr></table>`),
    }));
    const archive = webArchive([{ location: 'file:///C:/book.htm', html: main }, ...pages]);
    expect(await convert('工作簿.xls', archive)).toMatchObject({
      format: 'htmltable',
      sheets: ['甲', '乙'],
      plainText: 'one\ftwo',
    });
  });

  test('with huge spans and thousands of unclosed tables stays within the limits', async () => {
    const bytes = `<table><tr><td colspan="99999999" rowspan="99999999">wide</td></tr></table>${'<table><tr><td>x'.repeat(5_000)}`;
    const sheet = await convert('很宽.xls', webPage(bytes));
    expect(sheet).toMatchObject({ state: 'ready', view: 'sheet' });
    expect(sheet.plainText.startsWith('wide')).toBe(true);
  });
});

describe('XML named .xls', () => {
  test('of Excel 2003 becomes its visible cells, in UTF-8 and in GBK', async () => {
    const expected = { format: 'spreadsheetml', state: 'ready', view: 'sheet', sheets: ['姓名'] };
    const inGbk = toGbk(spreadsheetMl('GB2312'));
    for (const bytes of [spreadsheetMl(), inGbk]) {
      const sheet = await convert('报表.xls', bytes);
      expect(sheet).toMatchObject(expected);
      expect(sheet.plainText).toBe('姓名\tscore\nLi\t98.5');
    }
  });

  test('of flat OpenDocument becomes its visible cells', async () => {
    const row = (words: string, attributes = '') =>
      `<table:table-row ${attributes}><table:table-cell office:value-type="string"><text:p>${words}</text:p></table:table-cell></table:table-row>`;
    const body = `<table:table table:name="平面">${row('seen')}${row('HIDDEN', 'table:visibility="collapse"')}</table:table>`;
    expect(await convert('平面.xls', flatOpenDocument('spreadsheet', body))).toMatchObject({
      format: 'fods',
      state: 'ready',
      sheets: ['平面'],
      plainText: 'seen',
    });
  });
});

describe('HTML named .doc', () => {
  test('becomes flowing text in its encoding, without hidden text', async () => {
    const body = '<h1>中文</h1><p>姓名<span style="mso-hide:all">HIDDEN</span></p>';
    const page = await convert('通知.doc', toGbk(webPage(body, '<meta charset=gbk>')));
    expect(page).toMatchObject({ format: 'html', state: 'ready', view: 'flow' });
    expect(page.plainText).toBe('中文\n姓名');
    expect(page.html).toContain('<h1>');
  });

  test('becomes flowing text without what a rule of its style sheet hides', async () => {
    const style =
      '<style>@media print { p { display:none } } .gone{color:red;DISPLAY : none !important} a:hover, div p{display:none} body{visibility:hidden}</style>';
    const body =
      '<p>first</p><p class="gone" style="display:block">HIDDEN</p><div><p>second</p></div><p style="display:none">HIDDEN</p>';
    const page = await convert('样式.doc', webPage(body, style));
    expect(page).toMatchObject({ state: 'ready', plainText: 'first\nsecond' });
    expect(page.html).not.toContain('HIDDEN');
  });

  test('saved by Word shows neither deleted text of tracked changes nor comments', async () => {
    const changes =
      '<p>before <del cite="mailto:Li" datetime="2024-01-01T10:00">DELETED </del><ins cite="mailto:Li" datetime="2024-01-01T10:00">inserted</ins><a class=msocomanchor href="#_msocom_1">[L1]</a> <del>struck out</del></p>';
    const comments =
      "<div style='mso-element:comment-list'><div style='mso-element:comment'><p class=MsoCommentText>COMMENT</p></div></div>";
    const page = await convert('修订.doc', webPage(changes + comments));
    expect(page).toMatchObject({ state: 'ready', plainText: 'before inserted struck out' });
    expect(page.html).not.toMatch(/DELETED|COMMENT|\[L1\]/);
  });

  test('as a web archive shows the pictures that lie in it', async () => {
    const html = webPage('<p>before</p><p><img src="cid:pixel" alt="p"></p>');
    const page = await convert('归档.doc', webArchive([{ location: 'file:///C:/a.htm', html }]));
    expect(page).toMatchObject({ format: 'html', state: 'ready', view: 'flow', plainText: 'before\n' });
    expect(page.html).toMatch(/<img src=\\"i\/[0-9a-f]{32}\.webp\\"/);
  });

  test.runIf(hasCorpus)('from the real samples is converted', async () => {
    const samples = path.join(corpusFolder, '../samples/mhtml/testMHTMLFirefox.mhtml');
    const archive = await convert('网页.doc', await readFile(samples));
    expect(archive).toMatchObject({ state: 'ready', view: 'flow' });
    expect(archive.plainText).toContain('a Java framework for getting data and metadata');
    const page = await convert('网页2.doc', await readFile(path.join(corpusFolder, 'doc/html-as.doc')));
    expect(page).toMatchObject({ state: 'ready', view: 'flow', plainText: 'hello' });
  });
});

describe('markup of 100,000 levels', () => {
  const levels = (start: string, end: string) => start.repeat(100_000) + end.repeat(100_000);

  test.each([
    ['HTML named .doc', '很深.doc', webPage(levels('<div>', '</div>'))],
    ['HTML named .xls', '很深.xls', webPage(`<table><tr><td>${levels('<b>', '</b>')}`)],
    [
      'flat OpenDocument named .xls',
      '平面.xls',
      flatOpenDocument('spreadsheet', levels('<table:table>', '</table:table>')),
    ],
  ])('in %s fails with that reason', async (_, name, bytes) => {
    expect(await convert(name, bytes)).toMatchObject({
      state: 'failed',
      reason: '文档的结构嵌套过深，无法处理',
    });
  });

  test('a page of 10,000 levels, too many for the text version, fails with that reason', async () => {
    const page = webPage(`${'<div>'.repeat(10_000)}x`);
    expect(await convert('较深.doc', page)).toMatchObject({
      state: 'failed',
      reason: '文档的结构嵌套过深，无法处理',
    });
  });
});

describe.runIf(hasOffice)('XML named .doc', () => {
  test('of Word 2003 becomes pages', async () => {
    const document = await convert('公文.doc', wordMl('关于通知的 notice'));
    expect(document).toMatchObject({ format: 'wordml', state: 'ready', view: 'pages' });
    expect(document.plainText.replace(/\s/g, '')).toContain('关于通知的notice');
  });

  test('of flat OpenDocument becomes pages with tracked changes accepted', async () => {
    const deletion =
      '<text:tracked-changes><text:changed-region xml:id="c1" text:id="c1"><text:deletion><office:change-info><dc:creator>A</dc:creator><dc:date>2024-01-01T00:00:00</dc:date></office:change-info><text:p>DELETED</text:p></text:deletion></text:changed-region></text:tracked-changes>';
    const body = `${deletion}<text:p>before <text:change text:change-id="c1"/>after</text:p>`;
    const document = await convert('平面.doc', flatOpenDocument('text', body));
    expect(document).toMatchObject({ format: 'fodt', state: 'ready', view: 'pages' });
    expect(document.plainText).toContain('before after');
    expect(document.plainText).not.toContain('DELETED');
  });
});
