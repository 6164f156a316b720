import { readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { buffer, json, text } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addCorpusFile, corpusFolder, hasCorpus, waitForRendition } from './conversion.fixture.ts';
import type { Rendition } from './rendition.ts';
import { renditionStorageKeys } from './rendition-keys.ts';
import { renditionMeta } from './rendition-meta.ts';

/** Expected view, page count and text of each valid file. */
const validFiles: Record<string, [view: string, pages: number, words: string]> = {
  'chm/admin.chm': ['flow', 20, '.NET Framework Administrator Overview'],
  'chm/IMJPCL.CHM': ['flow', 288, '使う人にフィットした変換辞書'],
  'chm/cmak_ops.CHM': ['flow', 66, 'Kit d’administration de Connection Manager'],
  'chm/comexp.CHM': ['flow', 98, 'Administration des services de composants'],
  'chm/testChm3.chm': ['flow', 601, 'Version Control with Subversion'],
  'csv/zh-utf8.csv': ['sheet', 4, '备注,含逗号'],
  'csv/foo.csv': ['sheet', 1, 'qawsedrft'],
  'csv/test-reserved-header.csv': ['sheet', 1, 'shouldnotbewritten'],
  'doc/FancyFoot.doc': ['pages', 2, 'This is a sample word document'],
  'doc/Bug50936_1.doc': ['pages', 15, 'ROADSIDE DATA ANALYSIS'],
  'doc/capitalized.doc': ['pages', 1, 'CAPITALIZED'],
  'doc/pictures_escher.doc': ['pages', 1, 'Ka-52 Helicopte'],
  'doc/html-as.doc': ['flow', 1, 'hello'],
  'docx/61991.docx': ['pages', 1, 'Clinical Trial Transparency'],
  'docx/hello-world-signed-twice.docx': ['pages', 1, 'Hello world'],
  'docx/hostile-extimg.docx': ['pages', 1, 'hello'],
  'docx/ms-office-2010-signed.docx': ['pages', 1, 'Hello world'],
  'docx/unicode-path.docx': ['pages', 1, '1'],
  'dotx/test.dotx': ['pages', 1, 'Test'],
  'epub/ocf-zip-valid.epub': ['flow', 1, 'Call me Ishmael'],
  'epub/testEPUB.epub': ['flow', 4, 'This is the text for chapter'],
  'odp/testODPMacro.odp': ['pages', 1, ''],
  'odp/testODP_NPE.odp': ['pages', 37, 'Medicine'],
  'ods/test-columnar.ods': ['sheet', 1, 'Square of the Record Number'],
  'ods/testODSMacro.ods': ['sheet', 1, ''],
  'odt/hostile-extimg.odt': ['pages', 1, 'hi'],
  'odt/testNPEOpenDocument.odt': ['pages', 5, 'Práctica de GnuPG'],
  'odt/testPhoneNumberExtractor.odt': ['pages', 1, '9498888888'],
  'pdf/bad-xref.pdf': ['pages', 1, 'Potato'],
  'pdf/testPDFPackage.pdf': ['pages', 1, 'Multiple files are bound together'],
  'pdf/testPDF_AdobeIllustrator.pdf': ['pages', 1, ''],
  'pdf/testPDF_XFA_govdocs1_258578.pdf': ['pages', 1, 'National Park Service'],
  'pdf/testPDF_incrementalUpdates.pdf': ['pages', 1, 'Testing Incremental'],
  'pdf/testPDF_multiFormatEmbFiles.pdf': ['pages', 1, 'View Embedded Files'],
  'pdf/testPDF_rotated.pdf': ['pages', 1, 'Apache Tika'],
  'pdf/testPageNumber.pdf': ['pages', 1, 'This is page one'],
  'pot/presentation.pot': ['pages', 38, 'IP over Optical'],
  'potx/bug59273.potx': ['pages', 1, ''],
  'ppsx/testPPT.ppsx': ['pages', 3, 'Attachment Test'],
  'ppt/bug58718_349008.ppt': ['pages', 1, 'POSITION CONTROL'],
  'ppt/clusterfuzz-testcase-minimized-POIHSLFFuzzer-4630915954114560.ppt': ['pages', 2, 'Global Slide Footer'],
  'ppt/empty.ppt': ['pages', 1, ''],
  'pptx/45545_Comment.pptx': ['pages', 11, 'Removing financing obstacles'],
  'pptx/bar-chart.pptx': ['pages', 1, 'My Bar Chart'],
  'pptx/bug68703.pptx': ['pages', 1, 'Standaardnederlands'],
  'rtf/testComment.rtf': ['pages', 1, 'Here is some text'],
  'rtf/testRTFInvalidUnicode.rtf': ['pages', 1, 'Mismatched pair'],
  'rtf/testRTFUnicodeGothic.rtf': ['pages', 1, '𐌲'],
  'rtf/testRTF_parInsideHyperlink.rtf': ['pages', 1, 'Before line1'],
  'tsv/zh-gbk.tsv': ['sheet', 4, '备注'],
  'tsv/text-test.tsv': ['sheet', 1, 'dansk journalist'],
  'txt/file-list.txt': ['flow', 1, 'brown fox'],
  'txt/s_BII-S-2.txt': ['flow', 4, 'Characteristics[organism]'],
  'txt/testStataDTA.txt': ['flow', 1, 'Stata 13.1'],
  'wps/ShortLastBlock.wps': ['pages', 1, 'List Management GIF'],
  'wps/testWORKS.wps': ['pages', 1, 'Microsoft Works Word Processor'],
  'wps/testWORKS2000.wps': ['pages', 1, 'Microsoft Works Word Processor'],
  'xls/49219.xls': ['sheet', 9, 'KAPANIS'],
  'xls/49751.xls': ['sheet', 1, 'Input'],
  'xls/54500.xls': ['sheet', 1, ''],
  'xlsx/1_NoIden.xlsx': ['sheet', 1, '하천관리과'],
  'xlsx/RepeatingRowsCols.xlsx': ['sheet', 4, 'no repeating rows or columns'],
  'xlsx/clusterfuzz-testcase-minimized-POIXSSFFuzzer-5937385319563264.xlsx': ['sheet', 12, 'Budget changes'],
  'xlsx/testSharedFormulasSetBlank.xlsx': ['sheet', 1, '6'],
};

/** Expected error of each damaged or malicious file, at the upload or at the conversion. */
const invalidFiles: Record<string, string> = {
  'docx/hostile-billionlaughs.docx': '文档已损坏，无法打开',
  'docx/hostile-xxe.docx': '文档已损坏，无法打开',
  'docx/really-a-png.docx': '文件扩展名是 .docx，内容却是 PNG 图片',
  'epub/zip-as-epub.epub': '文件扩展名是 .epub，内容却是 ZIP 压缩包',
  'pdf/empty-file.pdf': '文件是空的',
  'pdf/file5_emptyA.pdf': '文件扩展名是 .pdf，内容却是纯文本',
  'pdf/really-html.pdf': '文件扩展名是 .pdf，内容却是网页',
  'ppt/clusterfuzz-testcase-minimized-POIHSLFFuzzer-5231088823566336.ppt': '文档已加密',
  'txt/binary-as.txt': '文件扩展名是 .txt，内容却是无法识别的数据',
  'xls/clusterfuzz-testcase-minimized-POIHSSFFuzzer-5889658057523200.xls': '文档已损坏，无法打开',
  'xlsx/clusterfuzz-testcase-minimized-XLSX2CSVFuzzer-5542865479270400.xlsx': '文档已损坏，无法打开',
};

const hasPrograms = (await Promise.all(['soffice', 'bwrap', '7z', 'pdftoppm'].map(findProgram))).every(Boolean);
if (!hasCorpus) process.stderr.write('没有 ../shared/corpus，真实文档的转换没有测试\n');

describe.runIf(hasCorpus && hasPrograms)('conversion of the corpus', async () => {
  const { ctx, folder } = await testApp({ runJobs: true, conversions: 'real' });
  const results = new Map<string, Rendition | Error>();

  beforeAll(async () => {
    const names = [...Object.keys(validFiles), ...Object.keys(invalidFiles)];
    await Promise.all(
      names.map(async (name) => {
        const result = await addCorpusFile(ctx, name).then(
          ({ id }) => waitForRendition(ctx, id),
          (error: Error) => error,
        );
        results.set(name, result);
      }),
    );
  });

  const resultOf = (name: string) => {
    const storedResult = results.get(name);
    if (!storedResult) throw new Error(`${name} has no result`);
    return storedResult;
  };

  test('has an expected result for each file of the corpus', () => {
    const files = readdirSync(corpusFolder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath !== corpusFolder)
      .map((entry) => path.relative(corpusFolder, path.join(entry.parentPath, entry.name)));
    expect(files.sort()).toEqual([...Object.keys(validFiles), ...Object.keys(invalidFiles)].sort());
  });

  test.each(Object.entries(validFiles))(
    'converts %s into the expected pages and text',
    async (name, [view, pages, words]) => {
      const rendition = resultOf(name);
      if (rendition instanceof Error) throw rendition;
      expect(rendition).toMatchObject({ state: 'ready', reason: '', view, pages, ready_pages: pages });
      const keys = renditionStorageKeys(rendition);
      const plainText = await text((await ctx.storage.get(keys.text)).stream);
      expect(plainText.split('\f')).toHaveLength(pages);
      expect(plainText.replace(/\s+/g, ' ')).toContain(words);
      const meta = renditionMeta.parse(await json((await ctx.storage.get(keys.meta)).stream));
      const cover = await sharp(await buffer((await ctx.storage.get(keys.cover)).stream)).metadata();
      expect(cover).toMatchObject({ format: 'webp', width: 420 });
      const last = [1, pages];
      if (view !== 'pages') {
        for (const page of last) expect(await ctx.storage.stat(keys.section(page))).not.toBeNull();
        return;
      }
      expect(meta.sizes).toHaveLength(pages);
      for (const page of last) {
        const [width, height] = meta.sizes[page - 1] ?? [];
        const image = await buffer((await ctx.storage.get(keys.page(page))).stream);
        expect(await sharp(image).metadata()).toMatchObject({ format: 'webp', width, height });
        expect(await ctx.storage.stat(keys.smallPage(page))).not.toBeNull();
      }
      expect(meta.words).toHaveLength(pages + 1);
      expect(meta.words.at(-1)).toBe((await ctx.storage.stat(keys.words))?.size);
    },
  );

  test.each(Object.entries(invalidFiles))('rejects %s with the expected reason', (name, reason) => {
    const rendition = resultOf(name);
    if (rendition instanceof Error) expect(rendition.message).toBe(reason);
    else {
      expect(rendition).toMatchObject({ state: 'failed', reason });
      // A document that cannot be converted is tried once; a preemption counts no attempt.
      expect(rendition.attempts).toBe(1);
    }
  });

  test('leaves no temporary files', async () => {
    expect(await readdir(path.join(folder, 'tmp'))).toEqual([]);
  });
});
