import { type PdfObjectFile, pdfNumber, pdfReference } from './pdf-object-file.ts';

/**
 * A word and its box in points from the top left corner of the page. A trailing space belongs to the word; a trailing line
 * break ends the line where its place does not show that.
 */
export type PdfWord = { text: string; x: number; y: number; width: number; height: number };

/** Height of the box above and below the base line, in thousandths of the font size; together 1000. */
const [ASCENT, DESCENT] = [800, -200];
/**
 * PDFium computes the box of a character from the font size and the width in the font, without scaling. So each width of
 * characters has its own font, and character spacing adds the rest.
 */
const WIDTH_STEP = 50;
const MAX_WIDTH = 4_000;
const MAX_CODE = 0xffff;
const BFCHAR_ROWS = 100;
const REPLACEMENT_CHARACTER = '\ufffd';

/** Text that is extracted and selected, but not drawn. Its fonts have no glyphs, only widths and a map to Unicode. */
export function createInvisibleText(file: PdfObjectFile) {
  const codes = new Map<string, number>([[REPLACEMENT_CHARACTER, 1]]);
  /** Object of the font for each width. */
  const fonts = new Map<number, number>();
  const encode = (character: string): string => {
    if (!codes.has(character) && codes.size < MAX_CODE) codes.set(character, codes.size + 1);
    return (codes.get(character) ?? 1).toString(16).padStart(4, '0');
  };
  const fontOfWidth = (width: number): string => {
    if (!fonts.has(width)) fonts.set(width, file.reserve());
    return fontName(width);
  };

  const drawWord = ({ text, x, y, width, height }: PdfWord, pageHeight: number): string => {
    const characters = [...text.toWellFormed()];
    const boxCount = [...text.trimEnd()].length;
    if (boxCount === 0 || !(width > 0 && height > 0)) return '';
    const advance = width / boxCount;
    const steps = Math.floor((advance / height) * (1_000 / WIDTH_STEP));
    const fontWidth = Math.min(MAX_WIDTH, Math.max(1, steps) * WIDTH_STEP);
    const spacing = advance - (fontWidth / 1_000) * height;
    const baseLine = pageHeight - y - height - (DESCENT / 1_000) * height;
    return [
      `/${fontOfWidth(fontWidth)} ${pdfNumber(height)} Tf`,
      `${pdfNumber(spacing)} Tc`,
      `1 0 0 1 ${pdfNumber(x)} ${pdfNumber(baseLine)} Tm`,
      `<${characters.map(encode).join('')}> Tj`,
    ].join(' ');
  };
  return {
    /** The operators for the words of a page. */
    draw(words: Iterable<PdfWord>, pageHeight: number): string {
      const rows = Array.from(words, (word) => drawWord(word, pageHeight)).filter((row) => row !== '');
      return rows.length === 0 ? '' : `BT 3 Tr\n${rows.join('\n')}\nET`;
    },
    /** Entries of the font resources of a page that shows words. */
    fontResources: (): string =>
      [...fonts].map(([width, font]) => `/${fontName(width)} ${pdfReference(font)}`).join(' '),
    /** Writes the fonts, when the characters of all pages are known. */
    writeFonts(): void {
      if (fonts.size === 0) return;
      const map = pdfReference(file.writeCompressedStream('', Buffer.from(unicodeMap([...codes.keys()]))));
      const descriptor = file.writeObject(
        `<< /Type /FontDescriptor /FontName /Invisible /Flags 4 /FontBBox [0 ${DESCENT} 1000 ${ASCENT}] /ItalicAngle 0 /Ascent ${ASCENT} /Descent ${DESCENT} /CapHeight ${ASCENT} /StemV 80 >>`,
      );
      for (const [width, font] of fonts) {
        const descendant = file.writeObject(
          `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Invisible /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${pdfReference(descriptor)} /DW ${width} >>`,
        );
        file.writeObject(
          `<< /Type /Font /Subtype /Type0 /BaseFont /Invisible /Encoding /Identity-H /DescendantFonts [${pdfReference(descendant)}] /ToUnicode ${map} >>`,
          font,
        );
      }
    },
  };
}

const fontName = (width: number) => `T${width}`;

/** A CMap for codes from 1 in the order of the characters. */
function unicodeMap(characters: string[]): string {
  const rows = characters.map(
    (character, index) =>
      `<${(index + 1).toString(16).padStart(4, '0')}> <${Buffer.from(character, 'utf16le').swap16().toString('hex')}>`,
  );
  const blocks = Array.from({ length: Math.ceil(rows.length / BFCHAR_ROWS) }, (_, index) => {
    const block = rows.slice(index * BFCHAR_ROWS, (index + 1) * BFCHAR_ROWS);
    return `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`;
  });
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CMapName /Invisible-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
end
end`;
}
