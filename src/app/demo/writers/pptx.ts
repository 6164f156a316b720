import { writeZip } from '#platform/server/storage/zip-writer.ts';
import type { Content } from '../demo-document.ts';
import { escapeXml } from '../markup.ts';
import { paletteOf } from './cover.ts';
import { pptxParts } from './pptx-parts.ts';
import { drawSlides, type SlideShape } from './slides.ts';

type Deck = Extract<Content, { kind: 'deck' }>;

const EMU_PER_MM = 36_000;
const emu = (mm: number) => Math.round(mm * EMU_PER_MM);
const fonts = { serif: 'Noto Serif CJK SC', sans: 'Noto Sans CJK SC' };

type Options = {
  /** Starts as a show. */ isShow?: boolean /** Without round shapes. */;
  isAngular?: boolean;
};

/** A PowerPoint deck. */
export function writePptx({ cover, body }: Deck, { isShow = false, isAngular = false }: Options = {}): Buffer {
  const slides = drawSlides(cover, body).map((shapes) =>
    shapes
      .map((shape) => (isAngular ? { ...shape, form: 'rect' as const } : shape))
      .map(shapeXml)
      .join(''),
  );
  return writeZip(pptxParts(slides, paletteOf(cover), isShow));
}

function shapeXml(shape: SlideShape, index: number): string {
  const { x, y, width, height, form = 'rect', fill, text, isTitle = false } = shape;
  const id = index + 2;
  const role = isTitle ? '<p:nvPr><p:ph type="title"/></p:nvPr>' : '<p:nvPr/>';
  const kind = text !== undefined && !fill ? '<p:cNvSpPr txBox="1"/>' : '<p:cNvSpPr/>';
  const paint = fill ? `<a:solidFill><a:srgbClr val="${fill}"/></a:solidFill>` : '<a:noFill/>';
  return `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="shape ${id}"/>${isTitle ? '<p:cNvSpPr/>' : kind}${role}</p:nvSpPr><p:spPr><a:xfrm><a:off x="${emu(x)}" y="${emu(y)}"/><a:ext cx="${emu(width)}" cy="${emu(height)}"/></a:xfrm><a:prstGeom prst="${form}"><a:avLst/></a:prstGeom>${paint}<a:ln><a:noFill/></a:ln></p:spPr>${textXml(shape)}</p:sp>`;
}

function textXml(shape: SlideShape): string {
  const { text = '', size = 16, color = '000000', font = 'sans', isBold = false } = shape;
  const { align = 'l', anchor = 't' } = shape;
  const letters = `lang="zh-CN" sz="${size * 100}" b="${isBold ? 1 : 0}"`;
  const face = `<a:solidFill><a:srgbClr val="${color}"/></a:solidFill><a:latin typeface="${fonts[font]}"/><a:ea typeface="${fonts[font]}"/>`;
  const paragraphs = text.split('\n').map((line) => {
    const run = line ? `<a:r><a:rPr ${letters}>${face}</a:rPr><a:t>${escapeXml(line)}</a:t></a:r>` : '';
    return `<a:p><a:pPr algn="${align}" marL="0" indent="0"><a:lnSpc><a:spcPct val="110000"/></a:lnSpc><a:buNone/></a:pPr>${run}</a:p>`;
  });
  return `<p:txBody><a:bodyPr wrap="square" lIns="72000" tIns="36000" rIns="72000" bIns="36000" anchor="${anchor}"><a:normAutofit/></a:bodyPr><a:lstStyle/>${paragraphs.join('')}</p:txBody>`;
}
