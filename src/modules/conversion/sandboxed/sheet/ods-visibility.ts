import { Parser } from 'htmlparser2';
import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';
import { openZip } from '../flow/zip-reader.ts';
import { nestingCounter } from '../nesting-limit.ts';
import { localName } from '../xml-elements.ts';
import type { SheetVisibility } from './cell-visibility.ts';
import { MAX_COLUMNS, MAX_ROWS_WITHOUT_STREAMING } from './limits.ts';

export const MAX_CONTENT_BYTES = 200 * 1024 * 1024;
const ZERO_LENGTH = /^0(?:\.0+)?[a-z]*$/;

type Attributes = Record<string, string>;
type OdsSheet = { isHidden: boolean; rows: Set<number>; columns: Set<number>; hasHiddenCells: boolean };
export type OdsVisibility = { isHidden: boolean } & SheetVisibility;

/** Text of a part, empty if the file does not have it. */
export async function readOdsPart(file: string, part: 'content.xml' | 'styles.xml' | 'settings.xml'): Promise<string> {
  const zip = await openZip(file);
  try {
    const content = await zip.read(part, MAX_CONTENT_BYTES);
    return content?.toString('utf8') ?? '';
  } finally {
    zip.close();
  }
}

/**
 * Adds a styles part if the file has none: all styles may be in the main part, but the library that reads the cells
 * rejects a file without it.
 */
export async function addMissingStylesPart(file: string, bytes: Buffer): Promise<Buffer> {
  const zip = await openZip(file);
  try {
    if (zip.names.some((name) => name.toLowerCase() === 'styles.xml')) return bytes;
    const members: ZipMember[] = [{ name: 'styles.xml', body: '<office:document-styles/>' }];
    for (const name of ['META-INF/manifest.xml', 'content.xml']) {
      const body = await zip.read(name, MAX_CONTENT_BYTES);
      if (body) members.push({ name, body });
    }
    return writeZip(members);
  } finally {
    zip.close();
  }
}

/** The library that reads the cells does not report hidden parts of an OpenDocument workbook. */
export const parseOdsVisibility = (xml: string): Map<string, OdsVisibility> =>
  new Map(
    [...parseHiddenOdsRowsAndColumns(xml)].map(([name, { isHidden, rows, columns, hasHiddenCells }]) => [
      name,
      {
        isHidden,
        hasHiddenCells,
        isRowHidden: (row) => rows.has(row),
        isColumnHidden: (column) => columns.has(column),
      },
    ]),
  );

export const withoutPrefixes = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]));

type State = {
  sheets: Map<string, OdsSheet>;
  /** The current style, and the styles that hide elements. */
  style: string;
  hidingStyles: Set<string>;
  /** Open tables, outermost first; a cell may contain a table. */
  tables: OdsSheet[];
  nextRow: number;
  nextColumn: number;
  /** Whether each open group of rows or columns is collapsed. */
  groups: boolean[];
};

function parseHiddenOdsRowsAndColumns(xml: string): Map<string, OdsSheet> {
  const state: State = {
    sheets: new Map(),
    style: '',
    hidingStyles: new Set(),
    tables: [],
    nextRow: 0,
    nextColumn: 0,
    groups: [],
  };
  const nesting = nestingCounter();
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nesting.open();
        handlers[localName(name)]?.(state, withoutPrefixes(attributes));
      },
      onclosetag(name) {
        nesting.close();
        const local = localName(name);
        if (local === 'table') state.tables.pop();
        else if (local === 'table-row-group' || local === 'table-column-group') state.groups.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return state.sheets;
}

const addHidingStyleIf = (isHiding: boolean, { style, hidingStyles }: State) => {
  if (isHiding) hidingStyles.add(style);
};

const isHiddenPart = ({ hidingStyles, groups }: State, { visibility, 'style-name': name = '' }: Attributes) =>
  visibility === 'collapse' || visibility === 'filter' || hidingStyles.has(name) || groups.includes(true);

const addRange = (indexes: Set<number>, from: number, to: number) => {
  for (let index = from; index < to; index++) indexes.add(index);
};

const handlers: Record<string, (state: State, attributes: Attributes) => void> = {
  style(state, { name = '' }) {
    state.style = name;
  },
  'table-properties': (state, { display }) => addHidingStyleIf(display === 'false', state),
  'table-row-properties': (state, { 'row-height': height = '' }) => addHidingStyleIf(ZERO_LENGTH.test(height), state),
  'table-column-properties': (state, { 'column-width': width = '' }) =>
    addHidingStyleIf(ZERO_LENGTH.test(width), state),
  table(state, { name = '', 'style-name': style = '' }) {
    const isHidden = state.hidingStyles.has(style);
    const sheet = { isHidden, rows: new Set<number>(), columns: new Set<number>(), hasHiddenCells: false };
    state.tables.push(sheet);
    if (state.tables.length > 1) return;
    state.sheets.set(name, sheet);
    state.nextRow = 0;
    state.nextColumn = 0;
  },
  'table-row-group': ({ groups }, { display }) => void groups.push(display === 'false'),
  'table-column-group': ({ groups }, { display }) => void groups.push(display === 'false'),
  'table-column'(state, attributes) {
    const [sheet, inner] = state.tables;
    if (!sheet || inner) return;
    const from = state.nextColumn;
    state.nextColumn += Number(attributes['number-columns-repeated']) || 1;
    if (!isHiddenPart(state, attributes)) return;
    sheet.hasHiddenCells = true;
    addRange(sheet.columns, from, Math.min(state.nextColumn, MAX_COLUMNS));
  },
  'table-row'(state, attributes) {
    const [sheet, inner] = state.tables;
    if (!sheet || inner) return;
    const from = state.nextRow;
    state.nextRow += Number(attributes['number-rows-repeated']) || 1;
    if (!isHiddenPart(state, attributes)) return;
    sheet.hasHiddenCells = true;
    addRange(sheet.rows, from, Math.min(state.nextRow, MAX_ROWS_WITHOUT_STREAMING));
  },
};
