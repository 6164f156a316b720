import sharp from 'sharp';
import { escapeXml } from '#platform/contract/xml.ts';

/** Colours without `#`. */
export type Palette = { dark: string; ink: string; accent: string; soft: string; paper: string };

const palettes = {
  pine: { dark: '1F4A3D', ink: '22302B', accent: 'D9A441', soft: 'DCE8E0', paper: 'FAF7F0' },
  indigo: { dark: '24345C', ink: '232A3B', accent: 'E0784F', soft: 'DDE3F0', paper: 'F8F6F1' },
  cinnabar: { dark: '8C2F24', ink: '34231F', accent: 'E3B64F', soft: 'F3DFD6', paper: 'FBF6EE' },
  plum: { dark: '4B2A4A', ink: '31232F', accent: 'E59A7B', soft: 'EADFEA', paper: 'FAF6F5' },
  lake: { dark: '145A6B', ink: '1E2E33', accent: 'F0A65A', soft: 'D6E9EC', paper: 'F6F8F5' },
  ochre: { dark: '8A5A1E', ink: '33291C', accent: '2F6B5E', soft: 'F1E5CF', paper: 'FBF7EC' },
  slate: { dark: '2E3540', ink: '262B33', accent: '5FB0A5', soft: 'E2E6EA', paper: 'F7F7F5' },
} satisfies Record<string, Palette>;
type PaletteName = keyof typeof palettes;
export const paletteNames = Object.keys(palettes) as [PaletteName, ...PaletteName[]];

export const coverDesigns = ['field', 'band', 'side', 'sun', 'plain', 'official'] as const;

export type DemoCover = {
  titleLines: string[];
  subtitle: string;
  author: string;
  design: (typeof coverDesigns)[number];
  palette: PaletteName;
};

/** Positions are millimetres on an A4 page. */
type CoverShape = {
  form: 'rect' | 'ellipse';
  x: number;
  y: number;
  width: number;
  height: number;
  fill: string;
};
/** `before` is the space above the line in millimetres, `size` is in points. */
export type CoverLine = {
  text: string;
  size: number;
  color: string;
  before: number;
  font: 'serif' | 'sans';
  isBold: boolean;
  align: 'left' | 'center';
  /** Distance from the left edge of the page. */
  x: number;
};
type CoverLayout = { paper: string; shapes: CoverShape[]; lines: CoverLine[] };

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

type TextColors = { title: string; small: string };
type CoverTextArea = { x: number; top: number; bottom: number };

export function layOutCover(cover: DemoCover): CoverLayout {
  const palette = palettes[cover.palette];
  const { dark, accent, soft, paper, ink } = palette;
  const onDark: TextColors = { title: 'FFFFFF', small: soft };
  const onPaper: TextColors = { title: ink, small: dark };
  if (cover.design === 'official') return layOutOfficialNotice(cover);
  const designs = {
    plain: () => ({
      paper,
      shapes: [],
      lines: layOutCoverLines(cover, { title: dark, small: ink }, { x: 26, top: 84, bottom: 251 }),
    }),
    field: () => ({
      paper: dark,
      shapes: [
        rect(0, 0, 210, 297, dark),
        rect(26, 52, 22, 2.2, accent),
        disc(128, 178, 150, lightenSlightly(dark)),
        rect(26, 246, 158, 0.4, soft),
      ],
      lines: layOutCoverLines(cover, onDark, { x: 26, top: 66, bottom: 251 }),
    }),
    band: () => ({
      paper,
      shapes: [
        rect(0, 0, 210, 297, paper),
        rect(0, 0, 210, 168, dark),
        rect(0, 168, 210, 5, accent),
        disc(150, -38, 96, lightenSlightly(dark)),
      ],
      lines: layOutCoverLines(cover, onDark, { x: 26, top: 58, bottom: 190 }, onPaper),
    }),
    side: () => ({
      paper,
      shapes: [rect(0, 0, 38, 297, dark), rect(38, 0, 3, 297, accent), rect(58, 240, 126, 0.5, dark)],
      lines: layOutCoverLines(cover, onPaper, { x: 58, top: 70, bottom: 246 }),
    }),
    sun: () => ({
      paper,
      shapes: [
        rect(0, 0, 210, 297, paper),
        disc(62, 44, 122, accent),
        rect(0, 150, 210, 147, soft),
        disc(-46, 150, 150, lightenStrongly(dark)),
        rect(0, 192, 210, 105, dark),
      ],
      lines: layOutCoverLines(cover, onDark, { x: 26, top: 200, bottom: 258 }),
    }),
  };
  return designs[cover.design]();
}

function layOutCoverLines(
  cover: DemoCover,
  colors: TextColors,
  { x, top, bottom }: CoverTextArea,
  bottomColors = colors,
): CoverLine[] {
  const longest = Math.max(...cover.titleLines.map((line) => [...line].length));
  const width = (PAGE.width - x - 22) / MM_PER_POINT;
  const isLow = top >= 200;
  const size = Math.min(isLow ? 38 : 62, Math.floor(width / longest));
  const lines: CoverLine[] = [];
  let bottomOfLast = 0;
  const add = (text: string, line: Partial<CoverLine> & { size: number }, y: number) => {
    const before = Math.max(0, y - bottomOfLast);
    lines.push({
      text,
      color: colors.title,
      font: 'serif',
      isBold: false,
      align: 'left',
      x,
      before,
      ...line,
    });
    bottomOfLast = Math.max(y, bottomOfLast) + lineHeightMm(line.size);
  };
  cover.titleLines.forEach((text, index) => {
    add(text, { size, isBold: true }, index === 0 ? top : bottomOfLast + size * 0.04);
  });
  add(cover.subtitle, { size: isLow ? 15 : 18, color: colors.small, font: 'sans' }, bottomOfLast + (isLow ? 3 : 8));
  add(cover.author, { size: 14, color: bottomColors.small, font: 'sans' }, bottom);
  return lines;
}

export const lineHeightMm = (points: number) => points * MM_PER_POINT * 1.45;

function layOutOfficialNotice({ titleLines, subtitle, author }: DemoCover): CoverLayout {
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
      ...titleLines.map((text, index) => line(text, 24, '1A1A1A', index === 0 ? 24 : 1, true)),
    ],
  };
}

const mixColorChannel = (color: string, mixedChannel: number, share: number) =>
  (color.match(/../g) ?? [])
    .map((part) => Math.round(Number.parseInt(part, 16) * (1 - share) + mixedChannel * share))
    .map((part) => part.toString(16).padStart(2, '0').toUpperCase())
    .join('');
export const lightenSlightly = (color: string) => mixColorChannel(color, 255, 0.1);
export const lightenStrongly = (color: string) => mixColorChannel(color, 255, 0.35);

const shapeSvg = ({ form, x, y, width, height, fill }: CoverShape) =>
  form === 'rect'
    ? `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#${fill}"/>`
    : `<ellipse cx="${x + width / 2}" cy="${y + height / 2}" rx="${width / 2}" ry="${height / 2}" fill="#${fill}"/>`;

const renderSvgPage = (inner: string, paper: string): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="1050" height="1485" viewBox="0 0 210 297"><rect width="210" height="297" fill="#${paper}"/>${inner}</svg>`,
    ),
  )
    .png({ palette: true })
    .toBuffer();

export function drawCoverBackground(cover: DemoCover): Promise<Buffer> {
  const { paper, shapes } = layOutCover(cover);
  return renderSvgPage(shapes.map(shapeSvg).join(''), paper);
}

export function drawCover(cover: DemoCover): Promise<Buffer> {
  const { paper, shapes, lines } = layOutCover(cover);
  let y = 0;
  const texts = lines.map((line) => {
    y += line.before + lineHeightMm(line.size);
    const family = line.font === 'serif' ? 'Noto Serif CJK SC' : 'Noto Sans CJK SC';
    const [x, anchor] = line.align === 'center' ? [PAGE.width / 2, 'middle'] : [line.x, 'start'];
    const sizeMm = line.size * MM_PER_POINT;
    return `<text x="${x}" y="${y - sizeMm * 0.38}" text-anchor="${anchor}" font-family="${family}" font-size="${sizeMm}" font-weight="${line.isBold ? 700 : 400}" fill="#${line.color}">${escapeXml(line.text)}</text>`;
  });
  return renderSvgPage([...shapes.map(shapeSvg), ...texts].join(''), paper);
}

export const paletteOf = ({ palette }: DemoCover): Palette => palettes[palette];
