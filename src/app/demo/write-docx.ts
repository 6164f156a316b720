import * as docx from 'docx';
import {
  type CoverLine,
  type DemoCover,
  drawCoverBackground,
  layOutCover,
  lineHeightMm,
  paletteOf,
} from './cover-design.ts';
import type { DemoContent } from './demo-document.ts';
import { type DemoBlock, parseMarkdown } from './parse-markdown.ts';

type ArticleContent = Extract<DemoContent, { kind: 'article' }>;
type Part = docx.Paragraph | docx.Table;

const fonts = { serif: 'Noto Serif CJK SC', sans: 'Noto Sans CJK SC' };
const PAGE_MM = { width: 210, height: 297 };
const MARGIN_MM = 26;
const TEXT_WIDTH_MM = PAGE_MM.width - 2 * MARGIN_MM;
const PIXELS_PER_MM = 96 / 25.4;
const twips = (mm: number) => docx.convertMillimetersToTwip(mm);
const halfPoints = (points: number) => points * 2;

export async function writeDocx({ cover, body, layout }: ArticleContent): Promise<Buffer> {
  const { dark } = paletteOf(cover);
  const blocks = parseMarkdown(body).map((block, index): Part => {
    if (block.kind === 'table') return docxTable(block.rows, cover);
    if (layout === 'poems') return docxPoemParagraph(block, cover);
    // The text of an official notice follows on the page of its title.
    return docxProseParagraph(block, index === 0 && cover.design !== 'official');
  });
  const file = new docx.Document({
    title: cover.titleLines.join(''),
    creator: cover.author,
    styles: stylesOf(dark),
    sections: [
      {
        properties: {
          titlePage: true,
          page: {
            size: { width: twips(PAGE_MM.width), height: twips(PAGE_MM.height) },
            margin: { top: twips(MARGIN_MM), bottom: twips(24), left: twips(MARGIN_MM), right: twips(MARGIN_MM) },
          },
        },
        footers: { default: pageNumberFooter() },
        children: [...(await coverParagraphs(cover)), ...blocks],
      },
    ],
  });
  return docx.Packer.toBuffer(file);
}

function stylesOf(dark: string): docx.IStylesOptions {
  const prose = { line: 400, lineRule: docx.LineRuleType.AUTO };
  return {
    default: {
      document: { run: { font: fonts.serif, size: halfPoints(11.5), language: { value: 'zh-CN', eastAsia: 'zh-CN' } } },
      heading1: {
        run: { font: fonts.sans, bold: true, color: dark, size: halfPoints(17) },
        paragraph: { keepNext: true, spacing: { before: 360, after: 180 } },
      },
    },
    paragraphStyles: [
      {
        id: 'Prose',
        name: 'Prose',
        basedOn: 'Normal',
        paragraph: { spacing: { after: 140, ...prose }, indent: { firstLine: 460 }, alignment: 'both' },
      },
      {
        id: 'Item',
        name: 'Item',
        basedOn: 'Normal',
        paragraph: { spacing: { after: 80, ...prose }, indent: { left: 460, hanging: 460 } },
      },
      {
        id: 'Quotation',
        name: 'Quotation',
        basedOn: 'Normal',
        run: { color: dark, size: halfPoints(12) },
        paragraph: {
          spacing: { before: 160, after: 200, ...prose },
          indent: { left: 460, right: 460 },
          border: { left: { style: 'single', size: 24, space: 12, color: dark } },
        },
      },
    ],
  };
}

const pageNumberFooter = () =>
  new docx.Footer({
    children: [
      new docx.Paragraph({
        alignment: 'center',
        children: [new docx.TextRun({ children: [docx.PageNumber.CURRENT], color: '8A8A8A', size: halfPoints(9) })],
      }),
    ],
  });

async function coverParagraphs(cover: DemoCover): Promise<docx.Paragraph[]> {
  const { lines } = layOutCover(cover);
  const firstLineTop = (lines[0]?.before ?? MARGIN_MM) - MARGIN_MM;
  const background = new docx.ImageRun({
    type: 'png',
    data: await drawCoverBackground(cover),
    transformation: { width: PAGE_MM.width * PIXELS_PER_MM, height: PAGE_MM.height * PIXELS_PER_MM },
    floating: {
      horizontalPosition: { relative: docx.HorizontalPositionRelativeFrom.PAGE, offset: 0 },
      verticalPosition: { relative: docx.VerticalPositionRelativeFrom.PAGE, offset: 0 },
      behindDocument: true,
    },
  });
  // Word drops the space before the first paragraph of a page, so an empty paragraph has the height of that space.
  const space = new docx.Paragraph({
    spacing: { before: 0, after: 0, line: twips(Math.max(1, firstLineTop)), lineRule: docx.LineRuleType.EXACT },
    children: [background],
  });
  return [space, ...lines.map((line, index) => coverLine(index === 0 ? { ...line, before: 0 } : line))];
}

const coverLine = ({ text, size, color, before, font, isBold, align, x }: CoverLine) =>
  new docx.Paragraph({
    alignment: align,
    spacing: {
      before: twips(before),
      after: 0,
      line: twips(lineHeightMm(size)),
      lineRule: docx.LineRuleType.EXACT,
    },
    indent: align === 'left' ? { left: twips(x - MARGIN_MM), right: -twips(8) } : {},
    children: [new docx.TextRun({ text, font: fonts[font], bold: isBold, color, size: halfPoints(size) })],
  });

type TextBlock = Exclude<DemoBlock, { kind: 'table' }>;

function docxProseParagraph({ kind, text }: TextBlock, pageBreakBefore: boolean): docx.Paragraph {
  if (kind === 'heading') return new docx.Paragraph({ text, heading: docx.HeadingLevel.HEADING_1, pageBreakBefore });
  const style = { text: 'Prose', item: 'Item', quote: 'Quotation' }[kind];
  return new docx.Paragraph({ text: kind === 'item' ? `•　${text}` : text, style, pageBreakBefore });
}

function docxPoemParagraph({ kind, text }: TextBlock, cover: DemoCover): docx.Paragraph {
  const { dark, accent } = paletteOf(cover);
  const styles = {
    heading: { size: 30, color: dark, font: fonts.serif, bold: true, before: 24, after: 8 },
    item: { size: 13, color: '8A7F72', font: fonts.sans, bold: false, before: 0, after: 22 },
    quote: { size: 11, color: '7A7168', font: fonts.sans, bold: false, before: 26, after: 0 },
    text: { size: 24, color: '2A2522', font: fonts.serif, bold: false, before: 0, after: 6 },
  };
  const { size, color, font, bold, before, after } = styles[kind];
  return new docx.Paragraph({
    alignment: 'center',
    spacing: { before: twips(before), after: twips(after) },
    children: [new docx.TextRun({ text, font, bold, color, size: halfPoints(size) })],
    ...(kind === 'heading'
      ? {
          heading: docx.HeadingLevel.HEADING_1,
          pageBreakBefore: true,
          border: { top: { style: 'single', size: 12, space: 18, color: accent } },
        }
      : {}),
  });
}

function docxTable(rows: string[][], cover: DemoCover): docx.Table {
  const { dark, soft } = paletteOf(cover);
  const columns = Math.max(...rows.map((row) => row.length));
  const width = Math.floor(twips(TEXT_WIDTH_MM) / columns);
  const cellOf = (text: string, isHead: boolean, fill: string) =>
    new docx.TableCell({
      shading: { fill, type: 'clear', color: 'auto' },
      children: [
        new docx.Paragraph({
          spacing: { before: 60, after: 60 },
          children: [
            new docx.TextRun({
              text,
              font: fonts.sans,
              bold: isHead,
              color: isHead ? 'FFFFFF' : '2B2B2B',
              size: halfPoints(10),
            }),
          ],
        }),
      ],
    });
  return new docx.Table({
    columnWidths: Array.from({ length: columns }, () => width),
    width: { size: width * columns, type: 'dxa' },
    layout: docx.TableLayoutType.FIXED,
    borders: docx.TableBorders.NONE,
    rows: rows.map((row, index) => {
      const fill = index === 0 ? dark : index % 2 === 0 ? soft : 'FFFFFF';
      const cells = Array.from({ length: columns }, (_, column) => cellOf(row[column] ?? '', index === 0, fill));
      return new docx.TableRow({ tableHeader: index === 0, children: cells });
    }),
  });
}
