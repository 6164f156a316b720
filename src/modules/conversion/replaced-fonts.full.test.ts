import { expect, test } from 'vitest';
import { isSandboxAvailable } from '#platform/server/sandbox/sandbox-arguments.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { testApp } from '#testing/test-app.ts';
import { addRendition, waitForRendition } from './conversion.fixture.ts';
import { assemblePdf, makeStyledDocx } from './document-files.fixture.ts';

const { ctx } = await testApp({ runJobs: true, conversions: 'real' });
const hasOffice = (await isSandboxAvailable()) && (await findProgram('soffice')) !== null;

const replacedFontsOf = async (name: string, bytes: Buffer) =>
  (await waitForRendition(ctx, (await addRendition(ctx, name, bytes)).id)).replaced_fonts;

test.runIf(hasOffice)(
  'the fonts that LibreOffice replaces in a Word document are stored with their substitutes',
  async () => {
    const style = { ascii: 'Times New Roman', language: 'zh-CN' };
    const bytes = makeStyledDocx([
      { text: '关于召开会议的通知', ...style, eastAsia: '方正小标宋简体' },
      { text: '各有关单位', ...style, eastAsia: '仿宋_GB2312' },
      { text: '一、会议时间', ...style, eastAsia: '楷体_GB2312' },
    ]);
    const fonts = await replacedFontsOf('通知.docx', bytes);
    expect(fonts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['方正小标宋简体', '仿宋_GB2312', '楷体_GB2312']),
    );
    expect(fonts).toContainEqual({ name: '方正小标宋简体', substitute: 'Noto Serif CJK SC' });
    expect(fonts.map(({ name }) => name)).not.toContain('Segoe UI');
  },
);

/** A PDF with a line in a Chinese font that it does not contain. */
const pdfWithoutItsFont = (fontName: string): Buffer => {
  const text = 'BT /F1 24 Tf 60 700 Td <4E2D6587> Tj ET';
  return assemblePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    `<< /Type /Font /Subtype /Type0 /BaseFont /${fontName} /Encoding /UniGB-UCS2-H /DescendantFonts [6 0 R] >>`,
    `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${fontName} /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor 7 0 R >>`,
    `<< /Type /FontDescriptor /FontName /${fontName} /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 859 /Descent -141 /CapHeight 700 /StemV 80 >>`,
  ]);
};

test('the fonts that a PDF does not contain are stored with the fonts that are drawn instead', async () => {
  expect(await replacedFontsOf('宋体.pdf', pdfWithoutItsFont('SimSun'))).toEqual([
    { name: 'SimSun', substitute: 'Noto Serif CJK' },
  ]);
});
