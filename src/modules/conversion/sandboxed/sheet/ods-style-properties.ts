import type { CellStyle } from '../../cell-style.contract.ts';
import type { CellFormat } from './xlsx-cell-styles.ts';

type Attributes = Record<string, string>;

/** Cell styles of an OpenDocument workbook; a style begins as a copy of its parent, which stands before it. */
export type OdsStyles = {
  numbers: Map<string, number>;
  formats: CellFormat[];
  /** Position of the style whose properties are being read, -1 outside of cell styles. */
  current: number;
};

/** Style of cells that name none. */
const DEFAULT_STYLE = 'Default';
const MAX_STYLES = 65_490;

const ALIGNMENTS: Record<string, CellStyle['align']> = { center: 'center', end: 'right', right: 'right' };

const hexColor = (value: string | undefined) => /^#([0-9a-f]{6})$/i.exec(value ?? '')?.[1]?.toLowerCase();
const isLine = (value: string | undefined) => value !== undefined && value !== 'none' && !value.startsWith('0 ');

/** Sets a property, or removes one that the parent style has. */
function assign<Key extends keyof CellStyle>(style: CellStyle, key: Key, value: CellStyle[Key] | undefined): void {
  if (value === undefined) delete style[key];
  else style[key] = value;
}

function change(styles: OdsStyles, update: (format: CellFormat) => void): void {
  const format = styles.formats[styles.current];
  if (format) update(format);
}

const SIDES: [string, string][] = [
  ['t', 'border-top'],
  ['r', 'border-right'],
  ['b', 'border-bottom'],
  ['l', 'border-left'],
];

/** A style may set all sides together, or some of them. */
function borderSides(before: string, attributes: Attributes): string {
  const isSet = (side: string, name: string) => {
    const value = attributes[name] ?? attributes.border;
    return value === undefined ? before.includes(side) : isLine(value);
  };
  return SIDES.filter(([side, name]) => isSet(side, name))
    .map(([side]) => side)
    .join('');
}

/** Handlers of the elements that describe cell styles, by local name. */
export const odsStyleHandlers: Record<string, (styles: OdsStyles, attributes: Attributes) => void> = {
  'default-style': (styles) => {
    styles.current = -1;
  },
  style(styles, { name = '', family, 'parent-style-name': parent = '' }) {
    styles.current = -1;
    if (family !== 'table-cell' || styles.formats.length >= MAX_STYLES) return;
    const parentFormat = styles.formats[styles.numbers.get(parent) ?? 0];
    const format = { style: { ...parentFormat?.style }, isAligned: parentFormat?.isAligned === true };
    styles.current = name === DEFAULT_STYLE ? 0 : styles.formats.length;
    styles.formats[styles.current] = format;
    styles.numbers.set(name, styles.current);
  },
  'table-cell-properties': (styles, attributes) =>
    change(styles, ({ style }) => {
      const fill = attributes['background-color'];
      const color = hexColor(fill);
      // White is the colour of paper; the reader uses that of the interface instead.
      if (fill !== undefined) assign(style, 'fill', color === 'ffffff' ? undefined : color);
      assign(style, 'borders', borderSides(style.borders ?? '', attributes) || undefined);
      const wrap = attributes['wrap-option'];
      if (wrap !== undefined) assign(style, 'wrap', wrap === 'wrap' || undefined);
    }),
  'paragraph-properties': (styles, { 'text-align': align }) =>
    change(styles, (format) => {
      if (align === undefined) return;
      format.isAligned = true;
      assign(format.style, 'align', ALIGNMENTS[align]);
    }),
  'text-properties': (styles, attributes) =>
    change(styles, ({ style }) => {
      const flag = (
        key: 'bold' | 'italic' | 'underline' | 'strike',
        name: string,
        isOn: (value: string) => boolean,
      ) => {
        const value = attributes[name];
        if (value !== undefined) assign(style, key, isOn(value) || undefined);
      };
      const color = hexColor(attributes.color);
      if (attributes.color !== undefined) assign(style, 'color', color === '000000' ? undefined : color);
      flag('bold', 'font-weight', (value) => value === 'bold' || Number(value) >= 600);
      flag('italic', 'font-style', (value) => value !== 'normal');
      flag('underline', 'text-underline-style', (value) => value !== 'none');
      flag('strike', 'text-line-through-style', (value) => value !== 'none');
    }),
};
