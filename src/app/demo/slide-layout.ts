import { type DemoCover, lightenSlightly, lightenStrongly, paletteOf } from './cover-design.ts';
import { type DemoBlock, type DemoSection, parseSections } from './parse-markdown.ts';

/** Size of a slide in millimetres; all positions are millimetres, too. */
export const SLIDE_MM = { width: 320, height: 180 };

type Position = { x: number; y: number; width: number; height: number };
export type SlideShape = Position & {
  form?: 'rect' | 'ellipse';
  fill?: string;
  text?: string;
  size?: number;
  color?: string;
  font?: 'serif' | 'sans';
  isBold?: boolean;
  isTitle?: boolean;
  isCentered?: boolean;
  table?: string[][];
};

export function layOutSlides(cover: DemoCover, body: string): SlideShape[][] {
  const sections = parseSections(body);
  return [titleSlide(cover), ...sections.map((section, index) => sectionSlide(cover, section, index + 1))];
}

const fullSlide: Position = { x: 0, y: 0, ...SLIDE_MM };

function titleSlide(cover: DemoCover): SlideShape[] {
  const { dark, accent, soft, paper, ink } = paletteOf(cover);
  const isLight = cover.design === 'side' || cover.design === 'sun';
  const background: SlideShape[] = isLight
    ? [
        { ...fullSlide, fill: paper },
        { form: 'ellipse', x: 196, y: -20, width: 150, height: 150, fill: accent },
        { form: 'ellipse', x: 236, y: 78, width: 120, height: 120, fill: dark },
        { x: 0, y: 0, width: 10, height: 180, fill: dark },
      ]
    : [
        { ...fullSlide, fill: dark },
        { form: 'ellipse', x: 214, y: -50, width: 170, height: 170, fill: lightenSlightly(dark) },
        { form: 'ellipse', x: 262, y: 96, width: 74, height: 74, fill: accent },
        { x: 28, y: 40, width: 26, height: 2.4, fill: accent },
      ];
  const longest = Math.max(...cover.titleLines.map((line) => [...line].length));
  const size = Math.min(66, Math.floor(660 / longest));
  const color = isLight ? ink : 'FFFFFF';
  const small = isLight ? dark : soft;
  return [
    ...background,
    {
      x: 24,
      y: 44,
      width: 256,
      height: 66,
      text: cover.titleLines.join('\n'),
      size,
      color,
      font: 'serif',
      isBold: true,
      isTitle: true,
    },
    { x: 24, y: 114, width: 200, height: 14, text: cover.subtitle, size: 20, color: small },
    { x: 24, y: 152, width: 200, height: 12, text: cover.author, size: 15, color: small },
  ];
}

const blockText = (block: DemoBlock) => (block.kind === 'table' ? '' : block.text);

function sectionSlide(cover: DemoCover, { title, blocks }: DemoSection, number: number): SlideShape[] {
  const { dark, accent, soft, paper, ink } = paletteOf(cover);
  const quote = blocks.find(({ kind }) => kind === 'quote');
  if (quote) return quoteSlide(cover, title, blockText(quote));
  const table = blocks.find((block) => block.kind === 'table');
  const items = blocks.filter(({ kind }) => kind === 'item').map(blockText);
  const lead = blocks
    .filter(({ kind }) => kind === 'text')
    .map(blockText)
    .join('\n');
  const head: SlideShape[] = [
    { ...fullSlide, fill: paper },
    { x: 0, y: 0, width: 6, height: 180, fill: dark },
    {
      x: 22,
      y: 14,
      width: 250,
      height: 22,
      text: title,
      size: 30,
      color: dark,
      font: 'serif',
      isBold: true,
      isTitle: true,
      isCentered: true,
    },
    { x: 24, y: 38, width: 20, height: 1.6, fill: accent },
    { x: 284, y: 164, width: 24, height: 9, text: String(number), size: 12, color: lightenStrongly(dark) },
  ];
  if (lead) head.push({ x: 22, y: 43, width: 276, height: 20, text: lead, size: 17, color: ink });
  const top = lead ? 66 : 50;
  if (table) return [...head, { x: 22, y: top, width: 276, height: 160 - top, table: table.rows }];
  const colors = { dark, soft, ink, accent };
  return [...head, ...(items.length <= 3 ? columnShapes(items, top, colors) : rowShapes(items, top, colors))];
}

type Colors = { dark: string; soft: string; ink: string; accent: string };

/** Splits `词：解释`; the word is shown in larger type. */
function splitTermAndExplanation(item: string): [word: string, explanation: string] {
  const at = item.indexOf('：');
  return at > 0 && at <= 12 ? [item.slice(0, at), item.slice(at + 1)] : ['', item];
}

function columnShapes(items: string[], top: number, { dark, soft, ink, accent }: Colors): SlideShape[] {
  const gap = 8;
  const width = (276 - gap * (items.length - 1)) / Math.max(1, items.length);
  return items.flatMap((item, index): SlideShape[] => {
    const x = 22 + index * (width + gap);
    const [word, rest] = splitTermAndExplanation(item);
    const height = 160 - top;
    return [
      { form: 'rect', x, y: top, width, height, fill: index === 0 ? dark : soft },
      { x, y: top, width, height: 2.4, fill: accent },
      {
        x: x + 6,
        y: top + 10,
        width: width - 12,
        height: 20,
        text: word || `${index + 1}`,
        size: 24,
        isBold: true,
        font: 'serif',
        color: index === 0 ? 'FFFFFF' : dark,
      },
      {
        x: x + 6,
        y: top + 34,
        width: width - 12,
        height: height - 38,
        text: rest,
        size: 17,
        color: index === 0 ? 'FFFFFF' : ink,
      },
    ];
  });
}

function rowShapes(items: string[], top: number, { dark, soft, ink, accent }: Colors): SlideShape[] {
  const step = (160 - top) / items.length;
  return items.flatMap((item, index): SlideShape[] => {
    const y = top + index * step;
    const [word, rest] = splitTermAndExplanation(item);
    return [
      { form: 'rect', x: 22, y, width: 276, height: step - 3, fill: index % 2 ? 'FFFFFF' : soft },
      { x: 22, y, width: 2.4, height: step - 3, fill: accent },
      {
        x: 30,
        y,
        width: 62,
        height: step - 3,
        text: word || `${index + 1}`,
        size: 18,
        isBold: true,
        font: 'serif',
        color: dark,
        isCentered: true,
      },
      { x: 94, y, width: 200, height: step - 3, text: rest, size: 16, color: ink, isCentered: true },
    ];
  });
}

function quoteSlide(cover: DemoCover, title: string, quote: string): SlideShape[] {
  const { dark, accent, soft } = paletteOf(cover);
  return [
    { ...fullSlide, fill: dark },
    { form: 'ellipse', x: -60, y: 70, width: 170, height: 170, fill: lightenSlightly(dark) },
    { x: 40, y: 40, width: 20, height: 2.4, fill: accent },
    {
      x: 36,
      y: 50,
      width: 250,
      height: 70,
      text: quote,
      size: 32,
      color: 'FFFFFF',
      font: 'serif',
      isBold: true,
      isTitle: true,
      isCentered: true,
    },
    { x: 36, y: 128, width: 240, height: 14, text: title, size: 17, color: soft },
  ];
}
