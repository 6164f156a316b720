import type { CSSProperties } from 'react';
import type { CellStyle, SectionStyles } from '#modules/conversion/cell-style.contract.ts';

type StyledRows = (CellStyle | undefined)[][];

const decodedRows = new WeakMap<SectionStyles, StyledRows>();

/** Styles of the cells of a page. Cells of one style share an object, and so do repeated calls. */
export function decodeStyles(cellStyles: SectionStyles): StyledRows {
  const cachedRows = decodedRows.get(cellStyles);
  if (cachedRows) return cachedRows;
  const rows = cellStyles.runs.map((runs) =>
    runs.flatMap((count, at) =>
      at % 2 === 0 ? Array<CellStyle | undefined>(count).fill(cellStyles.styles[(runs[at + 1] ?? 0) - 1]) : [],
    ),
  );
  decodedRows.set(cellStyles, rows);
  return rows;
}

const appearances = new WeakMap<CellStyle, CSSProperties>();

/** CSS of a cell. Cells without a fill have the background of the interface, which may be dark. */
export function cellAppearance(style: CellStyle | undefined): CSSProperties | undefined {
  if (!style) return;
  const cachedAppearance = appearances.get(style);
  if (cachedAppearance) return cachedAppearance;
  const { bold, italic, underline, strike, align } = style;
  const lines = [underline && 'underline', strike && 'line-through'].filter(Boolean).join(' ');
  const appearance: CSSProperties = {
    ...colors(style),
    ...borders(style),
    ...(bold && { fontWeight: 700 }),
    ...(italic && { fontStyle: 'italic' }),
    ...(lines && { textDecorationLine: lines }),
    ...(align && { textAlign: align }),
  };
  appearances.set(style, appearance);
  return appearance;
}

const DARK_TEXT = '1e221d';
const LIGHT_TEXT = 'ffffff';

function colors({ fill, color }: CellStyle): CSSProperties {
  if (fill) {
    const text = color ?? (luminance(fill) > 0.18 ? DARK_TEXT : LIGHT_TEXT);
    return {
      backgroundColor: `#${fill}`,
      color: `#${text}`,
      borderRightColor: `#${fill}`,
      borderBottomColor: `#${fill}`,
    };
  }
  return color ? { color: `light-dark(#${color}, ${onDarkBackground(color)})` } : {};
}

const channelsOf = (color: string) => [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Relative luminance as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Luminance that has a contrast of 4.5:1 against dark surfaces. */
const READABLE_ON_DARK = 0.3;

/** Mixes a colour with white until it is readable on a dark surface. */
function onDarkBackground(color: string): string {
  const mix = (share: number) =>
    channelsOf(color)
      .map((channel) =>
        Math.round(channel + (255 - channel) * share)
          .toString(16)
          .padStart(2, '0'),
      )
      .join('');
  for (let share = 0; share < 1; share += 0.1) if (luminance(mix(share)) >= READABLE_ON_DARK) return `#${mix(share)}`;
  return `#${LIGHT_TEXT}`;
}

const BORDER_COLOR = 'var(--ink-2)';

/** A cell draws its right and bottom line itself, and the others over the lines of its neighbours. */
function borders({ borders: sides = '' }: CellStyle): CSSProperties {
  const shadows = [
    sides.includes('t') && `0 -1px 0 ${BORDER_COLOR}`,
    sides.includes('l') && `-1px 0 0 ${BORDER_COLOR}`,
  ].filter(Boolean);
  return {
    ...(sides.includes('r') && { borderRightColor: BORDER_COLOR }),
    ...(sides.includes('b') && { borderBottomColor: BORDER_COLOR }),
    ...(shadows.length > 0 && { boxShadow: shadows.join(', ') }),
  };
}
