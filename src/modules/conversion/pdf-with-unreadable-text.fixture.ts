import { assemblePdf } from './document-files.fixture.ts';

const pdfStreamObject = (body: string) => `<< /Length ${body.length} >>\nstream\n${body}\nendstream`;
const codesToHex = (codes: number[]) => codes.map((code) => code.toString(16).padStart(4, '0')).join('');

/** Maps each two-byte code to a character of the private use area. */
const PRIVATE_USE_MAP = `/CIDInit /ProcSet findresource begin begincmap /CMapType 2 def 1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0001> <00FF> <E001> endbfrange endcmap end`;

/** F1: Helvetica. F2: glyph numbers without any map to Unicode. F3: glyphs mapped to private use. */
const fonts = [
  '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  '<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Custom /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
  '<< /Type /Font /Subtype /Type0 /BaseFont /ABCDEF+Custom /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 8 0 R >>',
  '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /ABCDEF+Custom /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /DW 600 >>',
  '<< /Type /FontDescriptor /FontName /ABCDEF+Custom /Flags 4 /FontBBox [0 0 600 800] /ItalicAngle 0 /Ascent 800 /Descent 0 /CapHeight 700 /StemV 80 >>',
  pdfStreamObject(PRIVATE_USE_MAP),
];

const glyphCodesHex = (length: number) => codesToHex(Array.from({ length }, (_, index) => 1 + (index % 200)));

/** Builds four pages: readable, glyph numbers only, private use only, readable with a private-use bullet. */
export function pdfWithUnreadableText(): Buffer {
  const bodies = [
    'BT /F1 14 Tf 60 700 Td (Readable first page) Tj ET',
    `BT /F2 14 Tf 60 700 Td <${glyphCodesHex(60)}> Tj ET`,
    `BT /F3 14 Tf 60 700 Td <${glyphCodesHex(60)}> Tj ET`,
    'BT /F3 14 Tf 60 700 Td <0001> Tj /F1 14 Tf ( Bullet before a readable line) Tj ET',
  ];
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '', ...fonts];
  const kids = bodies.map((body) => {
    const content = objects.push(pdfStreamObject(body));
    const resources = '<< /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> >>';
    return objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources ${resources} >>`,
    );
  });
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  return assemblePdf(objects);
}
