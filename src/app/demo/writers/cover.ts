import { type Cover, type Palette, palettes } from '../demo-document.ts';

/** In millimetres on an A4 page. */
export type CoverShape = {
  form: 'rect' | 'ellipse';
  x: number;
  y: number;
  width: number;
  height: number;
  fill: string;
};
/** Lines stand one below the other; `before` is the room above in millimetres, `size` is in points. */
export type CoverLine = {
  text: string;
  size: number;
  color: string;
  before: number;
  font: 'serif' | 'sans';
  isBold: boolean;
  align: 'left' | 'center';
  /** From the left edge of the page. */
  x: number;
};
export type DrawnCover = { paper: string; shapes: CoverShape[]; lines: CoverLine[] };

const PAGE = { width: 210, height: 297 };
const MM_PER_POINT = 25.4 / 72;

const rect = (x: number, y: number, width: number, height: number, fill: string): CoverShape => ({
  form: 'rect',
  x,
  y,
  width,
  height,
  fill,
});
const disc = (x: number, y: number, size: number, fill: string): CoverShape => ({
  form: 'ellipse',
  x,
  y,
  width: size,
  height: size,
  fill,
});

type Ink = { title: string; small: string };
type Place = { x: number; top: number; align?: 'left' | 'center'; bottom: number };

/** A title page as coloured fields and lines of type. */
export function drawCover(cover: Cover): DrawnCover {
  const palette = palettes[cover.palette];
  const { dark, accent, soft, paper, ink } = palette;
  const onDark: Ink = { title: 'FFFFFF', small: soft };
  const onPaper: Ink = { title: ink, small: dark };
  if (cover.design === 'official') return official(cover);
  const designs = {
    // Type alone, for formats that place shapes wrongly.
    plain: () => ({
      paper,
      shapes: [],
      lines: linesOf(cover, { title: dark, small: ink }, { x: 26, top: 84, bottom: 251 }),
    }),
    field: () => ({
      paper: dark,
      shapes: [
        rect(0, 0, 210, 297, dark),
        rect(26, 52, 22, 2.2, accent),
        disc(128, 178, 150, shade(dark)),
        rect(26, 246, 158, 0.4, soft),
      ],
      lines: linesOf(cover, onDark, { x: 26, top: 66, bottom: 251 }),
    }),
    band: () => ({
      paper,
      shapes: [
        rect(0, 0, 210, 297, paper),
        rect(0, 0, 210, 168, dark),
        rect(0, 168, 210, 5, accent),
        disc(150, -38, 96, shade(dark)),
      ],
      lines: linesOf(cover, onDark, { x: 26, top: 58, bottom: 190 }, onPaper),
    }),
    side: () => ({
      paper,
      shapes: [
        // Some formats forget what lies behind the text, so nothing does.
        rect(0, 0, 38, 297, dark),
        rect(38, 0, 3, 297, accent),
        rect(58, 240, 126, 0.5, dark),
      ],
      lines: linesOf(cover, onPaper, { x: 58, top: 70, bottom: 246 }),
    }),
    sun: () => ({
      paper,
      shapes: [
        rect(0, 0, 210, 297, paper),
        disc(62, 44, 122, accent),
        rect(0, 150, 210, 147, soft),
        disc(-46, 150, 150, tint(dark)),
        rect(0, 192, 210, 105, dark),
      ],
      lines: linesOf(cover, onDark, { x: 26, top: 200, bottom: 258 }),
    }),
  };
  return designs[cover.design]();
}

/** Title, subtitle and, at the foot, the author. */
function linesOf(cover: Cover, ink: Ink, { x, top, bottom }: Place, foot = ink): CoverLine[] {
  const longest = Math.max(...cover.lines.map((line) => [...line].length));
  const room = (PAGE.width - x - 22) / MM_PER_POINT;
  const isLow = top >= 200;
  const size = Math.min(isLow ? 38 : 62, Math.floor(room / longest));
  const lines: CoverLine[] = [];
  let at = 0;
  const add = (text: string, line: Partial<CoverLine> & { size: number }, y: number) => {
    const before = Math.max(0, y - at);
    lines.push({
      text,
      color: ink.title,
      font: 'serif',
      isBold: false,
      align: 'left',
      x,
      before,
      ...line,
    });
    at = Math.max(y, at) + heightOf(line.size);
  };
  cover.lines.forEach((text, index) => {
    add(text, { size, isBold: true }, index === 0 ? top : at + size * 0.04);
  });
  add(cover.subtitle, { size: isLow ? 15 : 18, color: ink.small, font: 'sans' }, at + (isLow ? 3 : 8));
  add(cover.author, { size: 14, color: foot.small, font: 'sans' }, bottom);
  return lines;
}

/** A line of type takes a little more than its size. */
export const heightOf = (points: number) => points * MM_PER_POINT * 1.45;

/** A notice of an office: a red head, a red rule, then the title. */
function official({ lines, subtitle, author }: Cover): DrawnCover {
  const line = (text: string, size: number, color: string, before: number, isBold: boolean) => ({
    text,
    size,
    color,
    before,
    isBold,
    font: 'serif' as const,
    align: 'center' as const,
    x: 28,
  });
  return {
    paper: 'FFFFFF',
    shapes: [rect(28, 92, 154, 1, 'C8161D'), rect(28, 94.2, 154, 0.3, 'C8161D')],
    lines: [
      line(author, 38, 'C8161D', 46, true),
      line(subtitle, 14, '333333', 6, false),
      ...lines.map((text, index) => line(text, 24, '1A1A1A', index === 0 ? 24 : 1, true)),
    ],
  };
}

const mix = (color: string, other: number, share: number) =>
  (color.match(/../g) ?? [])
    .map((part) => Math.round(Number.parseInt(part, 16) * (1 - share) + other * share))
    .map((part) => part.toString(16).padStart(2, '0').toUpperCase())
    .join('');
export const shade = (color: string) => mix(color, 255, 0.1);
export const tint = (color: string) => mix(color, 255, 0.35);

/** The same page as a picture, for books. */
export function coverSvg(cover: Cover): string {
  const { paper, shapes, lines } = drawCover(cover);
  let y = 0;
  const text = lines.map((line) => {
    y += line.before + heightOf(line.size);
    const family = line.font === 'serif' ? 'Noto Serif CJK SC' : 'Noto Sans CJK SC';
    const [x, anchor] = line.align === 'center' ? [PAGE.width / 2, 'middle'] : [line.x, 'start'];
    const baseline = y - line.size * MM_PER_POINT * 0.38;
    return `<text x="${x}" y="${baseline}" text-anchor="${anchor}" font-family="${family}" font-size="${line.size * MM_PER_POINT}" font-weight="${line.isBold ? 700 : 400}" fill="#${line.color}">${line.text}</text>`;
  });
  const drawn = shapes.map(({ form, x, y, width, height, fill }) =>
    form === 'rect'
      ? `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#${fill}"/>`
      : `<ellipse cx="${x + width / 2}" cy="${y + height / 2}" rx="${width / 2}" ry="${height / 2}" fill="#${fill}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1050" height="1485" viewBox="0 0 210 297"><rect width="210" height="297" fill="#${paper}"/>${drawn.join('')}${text.join('')}</svg>`;
}

export const paletteOf = ({ palette }: Cover): Palette => palettes[palette];
