import { assemblePdf } from './document-files.fixture.ts';

export type TypesetLine = { text: string; x?: number; size?: number };

const pdfStreamObject = (body: string) => `<< /Length ${body.length} >>\nstream\n${body}\nendstream`;
const utf16Hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');

/** Helvetica for Latin text; for Chinese a font of the collection Adobe-GB1, which needs no embedding. */
const fonts = [
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [5 0 R] >>',
  '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /FontDescriptor 6 0 R /DW 1000 >>',
  '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>',
];

/**
 * Builds a page of these lines with a line height of `leading` times their size; an empty line is a gap of half a line.
 */
export function typesetPdf(lines: TypesetLine[], leading: number): Buffer {
  let y = 780;
  const operators = lines.map(({ text, x = 60, size = 12 }) => {
    y -= size * leading * (text === '' ? 0.5 : 1);
    const isChinese = /\p{Script=Han}/u.test(text);
    const stringOperand = isChinese ? `<${utf16Hex(text)}>` : `(${text.replace(/[()\\]/g, '\\$&')})`;
    return `BT /${isChinese ? 'F2' : 'F1'} ${size} Tf ${x} ${y.toFixed(1)} Td ${stringOperand} Tj ET`;
  });
  return assemblePdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [8 0 R] >>',
    ...fonts,
    pdfStreamObject(operators.join('\n')),
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 7 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>',
  ]);
}
