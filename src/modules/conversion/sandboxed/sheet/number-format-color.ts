import { INDEXED_COLORS } from './xlsx-colors.ts';

const NAMED_COLORS: Record<string, string> = {
  black: '000000',
  blue: '0000ff',
  cyan: '00ffff',
  green: '00ff00',
  magenta: 'ff00ff',
  red: 'ff0000',
  white: 'ffffff',
  yellow: 'ffff00',
  黑色: '000000',
  蓝色: '0000ff',
  青色: '00ffff',
  绿色: '00ff00',
  洋红: 'ff00ff',
  红色: 'ff0000',
  白色: 'ffffff',
  黄色: 'ffff00',
};
const COLOR =
  /\[(black|blue|cyan|green|magenta|red|white|yellow|黑色|蓝色|青色|绿色|洋红|红色|白色|黄色|(?:color|颜色) ?(\d{1,2}))\]/i;
const CONDITION = /\[(<=|>=|<>|<|>|=)(-?\d+(?:\.\d+)?)\]/;
/** The numbered colours are those of the palette from here on. */
const FIRST_PALETTE_COLOR = 7;

type FormatSection = { color: string | undefined; accepts: ((value: number) => boolean) | undefined };

const comparisons: Record<string, (value: number, limit: number) => boolean> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
  '<>': (value, limit) => value !== limit,
};

function parseSection(code: string): FormatSection {
  const [, name = '', number] = COLOR.exec(code) ?? [];
  const [, operator = '', limit] = CONDITION.exec(code) ?? [];
  const compare = comparisons[operator];
  return {
    color: number ? INDEXED_COLORS[FIRST_PALETTE_COLOR + Number(number)] : NAMED_COLORS[name.toLowerCase()],
    accepts: compare && ((value) => compare(value, Number(limit))),
  };
}

/** Null for a code without colours. */
function parseSections(code: string): FormatSection[] | null {
  const withoutLiterals = code.replace(/"[^"]*"|[\\!_*]./g, '');
  return COLOR.test(withoutLiterals) ? withoutLiterals.split(';').map(parseSection) : null;
}

/** FormatSection for a number; without conditions, the sections are for positive, negative and zero numbers. */
function sectionFor(value: number, sections: FormatSection[]): FormatSection | undefined {
  const numberSections = sections.slice(0, 3);
  if (numberSections.some(({ accepts }) => accepts))
    return numberSections.find(({ accepts }) => !accepts || accepts(value));
  if (value < 0 && sections.length > 1) return sections[1];
  return value === 0 && sections.length > 2 ? sections[2] : sections[0];
}

const sectionsByCode = new Map<string, FormatSection[] | null>();

/** Colour that a number format gives to a value, as six hexadecimal digits. */
export function numberFormatColor(code: unknown, value: unknown): string | undefined {
  if (typeof code !== 'string' || !code.includes('[')) return;
  if (!sectionsByCode.has(code)) sectionsByCode.set(code, parseSections(code));
  const sections = sectionsByCode.get(code);
  if (!sections) return;
  if (typeof value === 'number') return sectionFor(value, sections)?.color;
  return typeof value === 'string' ? sections[3]?.color : undefined;
}
