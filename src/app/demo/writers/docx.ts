import { writeZip } from '#platform/server/storage/zip-writer.ts';
import type { Content } from '../demo-document.ts';
import { type DemoBlock, escapeXml, parseMarkup } from '../markup.ts';
import { type CoverLine, type CoverShape, drawCover, heightOf, paletteOf } from './cover.ts';
import { docxParts } from './docx-parts.ts';

type Article = Extract<Content, { kind: 'article' }>;

const EMU_PER_MM = 36_000;
const TWIPS_PER_MM = 1440 / 25.4;
const MARGIN_MM = 26;
const twips = (mm: number) => Math.round(mm * TWIPS_PER_MM);
const fonts = { serif: 'Noto Serif CJK SC', sans: 'Noto Sans CJK SC' };

/** A Word document: a designed title page, then headings, paragraphs, lists and tables. */
export function writeDocx({ cover, body, layout = 'prose' }: Article, isAngular = false): Buffer {
  const drawn = drawCover(cover);
  const shapes = drawn.shapes.map((shape) => (isAngular ? { ...shape, form: 'rect' as const } : shape));
  const { dark, accent, soft } = paletteOf(cover);
  const isOfficial = cover.design === 'official';
  const title = drawn.lines.map((line, index) => coverParagraph(line, { isFirst: index === 0, shapes })).join('');
  // A notice goes on below its head; everything else begins on a new page.
  const parts = parseMarkup(body).map((block, index) => {
    const isNewPage = index === 0 && !isOfficial;
    if (layout === 'poems') return poemBlock(block, { dark, accent, id: index + 100 });
    return proseBlock(block, { dark, soft, isNewPage });
  });
  return writeZip(docxParts({ body: title + parts.join(''), dark, hasTitlePage: true }));
}

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;
const typed = (font: keyof typeof fonts, size: number, color: string, isBold = false) =>
  `<w:rFonts w:ascii="${fonts[font]}" w:hAnsi="${fonts[font]}" w:eastAsia="${fonts[font]}"/>${isBold ? '<w:b/>' : ''}<w:color w:val="${color}"/><w:sz w:val="${size * 2}"/>`;

type CoverPlace = { isFirst: boolean; shapes: CoverShape[] };

function coverParagraph(line: CoverLine, { isFirst, shapes }: CoverPlace): string {
  // The first line starts at the upper margin; room above a page's first paragraph would be dropped.
  const lead = isFirst
    ? `<w:p><w:pPr><w:spacing w:before="0" w:after="0" w:line="${twips(Math.max(1, line.before - MARGIN_MM))}" w:lineRule="exact"/></w:pPr>${shapes.map((shape, index) => anchored(shape, index + 1)).join('')}</w:p>`
    : '';
  const before = isFirst ? 0 : twips(line.before);
  const indent = line.align === 'left' ? twips(line.x - MARGIN_MM) : 0;
  return `${lead}<w:p><w:pPr><w:spacing w:before="${before}" w:after="0" w:line="${twips(heightOf(line.size))}" w:lineRule="exact"/><w:ind w:left="${indent}" w:right="${indent ? -twips(8) : 0}"/><w:jc w:val="${line.align}"/></w:pPr>${run(line.text, typed(line.font, line.size, line.color, line.isBold))}</w:p>`;
}

/** A coloured shape behind the text, placed on the page. */
function anchored({ form, x, y, width, height, fill }: CoverShape, id: number): string {
  const emu = (mm: number) => Math.round(mm * EMU_PER_MM);
  const extent = `cx="${emu(width)}" cy="${emu(height)}"`;
  return `<w:r><w:drawing><wp:anchor behindDoc="1" distT="0" distB="0" distL="0" distR="0" simplePos="0" relativeHeight="${id}" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="page"><wp:posOffset>${emu(x)}</wp:posOffset></wp:positionH><wp:positionV relativeFrom="page"><wp:posOffset>${emu(y)}</wp:posOffset></wp:positionV><wp:extent ${extent}/><wp:effectExtent l="0" t="0" r="0" b="0"/><wp:wrapNone/><wp:docPr id="${id}" name="shape ${id}"/><wp:cNvGraphicFramePr/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${extent}/></a:xfrm><a:prstGeom prst="${form}"><a:avLst/></a:prstGeom><a:solidFill><a:srgbClr val="${fill}"/></a:solidFill><a:ln><a:noFill/></a:ln></wps:spPr><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r>`;
}

type Prose = { dark: string; soft: string; isNewPage: boolean };

function proseBlock(block: DemoBlock, { dark, soft, isNewPage }: Prose): string {
  if (block.kind === 'table') return table(block.rows, dark, soft);
  const styles = { heading: 'Heading1', text: 'Body', item: 'Item', quote: 'Quote' };
  const breaks = isNewPage ? '<w:pageBreakBefore/>' : '';
  const text = block.kind === 'item' ? `•　${block.text}` : block.text;
  return `<w:p><w:pPr><w:pStyle w:val="${styles[block.kind]}"/>${breaks}</w:pPr>${run(text)}</w:p>`;
}

function table(rows: string[][], dark: string, soft: string): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const width = Math.floor(twips(158) / columns);
  const line = (row: string[], index: number) => {
    const fill = index === 0 ? dark : index % 2 === 0 ? soft : 'FFFFFF';
    const color = index === 0 ? 'FFFFFF' : '2B2B2B';
    const cells = Array.from(
      { length: columns },
      (_, column) =>
        `<w:tc><w:tcPr><w:tcW w:w="${width}" w:type="dxa"/><w:shd w:val="clear" w:color="auto" w:fill="${fill}"/></w:tcPr><w:p><w:pPr><w:spacing w:before="60" w:after="60"/></w:pPr>${run(row[column] ?? '', typed('sans', 10, color, index === 0))}</w:p></w:tc>`,
    );
    return `<w:tr>${cells.join('')}</w:tr>`;
  };
  const grid = `<w:gridCol w:w="${width}"/>`.repeat(columns);
  return `<w:tbl><w:tblPr><w:tblW w:w="${width * columns}" w:type="dxa"/><w:tblLayout w:type="fixed"/></w:tblPr><w:tblGrid>${grid}</w:tblGrid>${rows.map(line).join('')}</w:tbl><w:p><w:pPr><w:pStyle w:val="Body"/></w:pPr></w:p>`;
}

type Poem = { dark: string; accent: string; id: number };

/** One poem on a page: title, poet, lines of large type. */
function poemBlock(block: DemoBlock, { dark, accent, id }: Poem): string {
  if (block.kind === 'table') return table(block.rows, dark, 'F3EDE2');
  const centred = (before: number, after: number) =>
    `<w:spacing w:before="${twips(before)}" w:after="${twips(after)}"/><w:jc w:val="center"/>`;
  const { kind, text } = block;
  if (kind === 'heading') {
    const shape = { form: 'rect', x: 98, y: 34, width: 14, height: 1.6, fill: accent } as const;
    const seal = anchored(shape, id);
    return `<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:pageBreakBefore/>${centred(24, 4)}</w:pPr>${seal}${run(text, typed('serif', 30, dark, true))}</w:p>`;
  }
  if (kind === 'item') return `<w:p><w:pPr>${centred(0, 22)}</w:pPr>${run(text, typed('sans', 13, '8A7F72'))}</w:p>`;
  if (kind === 'quote') return `<w:p><w:pPr>${centred(26, 0)}</w:pPr>${run(text, typed('sans', 11, '7A7168'))}</w:p>`;
  return `<w:p><w:pPr>${centred(0, 6)}</w:pPr>${run(text, typed('serif', 24, '2A2522'))}</w:p>`;
}
