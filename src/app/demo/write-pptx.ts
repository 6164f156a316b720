import pptxgenjs from 'pptxgenjs';
import { type Palette, paletteOf } from './cover-design.ts';
import type { DemoContent } from './demo-document.ts';
import { layOutSlides, SLIDE_MM, type SlideShape } from './slide-layout.ts';

type Deck = Extract<DemoContent, { kind: 'deck' }>;

/** The type declarations describe the CommonJS build; Node loads the ES module, whose default export is the class. */
const Presentation = pptxgenjs as unknown as typeof pptxgenjs.default;
type Presentation = InstanceType<typeof Presentation>;

const MM_PER_INCH = 25.4;
const LAYOUT = 'wide';
const fonts = { serif: 'Noto Serif CJK SC', sans: 'Noto Sans CJK SC' };
const inches = (mm: number) => mm / MM_PER_INCH;

/** Writes a PowerPoint deck. The old binary formats lose round shapes in LibreOffice: `isAngular` avoids them. */
export async function writePptx({ cover, body }: Deck, { isAngular = false } = {}): Promise<Buffer> {
  const deck = new Presentation();
  deck.defineLayout({ name: LAYOUT, width: inches(SLIDE_MM.width), height: inches(SLIDE_MM.height) });
  deck.layout = LAYOUT;
  deck.title = cover.titleLines.join('');
  deck.author = cover.author;
  const slides = layOutSlides(cover, body);
  for (const [index, shapes] of slides.entries())
    addSlide(deck, shapes, { index, isAngular, palette: paletteOf(cover) });
  return Buffer.from((await deck.write({ outputType: 'uint8array' })) as Uint8Array);
}

type SlideOptions = { index: number; isAngular: boolean; palette: Palette };

function addSlide(deck: Presentation, shapes: SlideShape[], { index, isAngular, palette }: SlideOptions): void {
  const masterName = `slide-${index + 1}`;
  const title = shapes.find(({ isTitle }) => isTitle);
  deck.defineSlideMaster({
    title: masterName,
    objects: title
      ? [
          {
            placeholder: {
              options: { name: 'title', type: 'title', ...positionOf(title), ...textOptions(title) },
              text: '',
            },
          },
        ]
      : [],
  });
  const slide = deck.addSlide({ masterName });
  for (const shape of shapes) {
    const { form = 'rect', fill, text, table, isTitle } = shape;
    if (fill)
      slide.addShape(isAngular ? 'rect' : form, {
        ...positionOf(shape),
        fill: { color: fill },
        line: { type: 'none' },
      });
    if (table) slide.addTable(tableRows(table, palette), { ...positionOf(shape), fontFace: fonts.sans, fontSize: 15 });
    if (text !== undefined)
      slide.addText(text, isTitle ? { placeholder: 'title' } : { ...positionOf(shape), ...textOptions(shape) });
  }
}

const positionOf = ({ x, y, width, height }: SlideShape) => ({
  x: inches(x),
  y: inches(y),
  w: inches(width),
  h: inches(height),
});

const textOptions = ({
  size = 16,
  color = '000000',
  font = 'sans',
  isBold = false,
  isCentered = false,
}: SlideShape) => ({
  fontFace: fonts[font],
  fontSize: size,
  bold: isBold,
  color,
  align: 'left' as const,
  valign: isCentered ? ('middle' as const) : ('top' as const),
  lineSpacingMultiple: 1.1,
  lang: 'zh-CN',
});

const tableRows = (rows: string[][], { dark, soft, ink }: Palette): pptxgenjs.default.TableRow[] =>
  rows.map((row, index) => {
    const fill = { color: index === 0 ? dark : index % 2 === 1 ? 'FFFFFF' : soft };
    return row.map((text) => ({
      text,
      options: { fill, bold: index === 0, color: index === 0 ? 'FFFFFF' : ink, valign: 'middle' as const },
    }));
  });
