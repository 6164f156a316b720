import { Parser } from 'htmlparser2';
import { nestingCounter } from '../nesting-limit.ts';
import { localName } from '../xml-elements.ts';
import { MAX_COLUMNS, MAX_ROWS_WITHOUT_STREAMING as MAX_ROWS } from './limits.ts';
import { type OdsStyles, odsStyleHandlers } from './ods-style-properties.ts';
import { withoutPrefixes } from './ods-visibility.ts';
import { type StyleOfCell, styleCache } from './visible-cell-styles.ts';
import { type StyleNumbers, styleNumberAt } from './xlsx-style-numbers.ts';

type Attributes = Record<string, string>;
type State = {
  styles: OdsStyles;
  sheets: Map<string, StyleNumbers>;
  /** Open tables, outermost first; a cell may contain a table. */
  tables: StyleNumbers[];
  nextRow: number;
  nextColumn: number;
  /** Rows that the current row element stands for. */
  rowCount: number;
};

/** Reads the styles of the cells of an OpenDocument workbook from its content and its named styles. */
export function readOdsCellStyles(content: string, namedStyles: string): (name: string) => StyleOfCell | undefined {
  const state: State = {
    styles: { numbers: new Map(), formats: [{ style: {}, isAligned: false }], current: -1 },
    sheets: new Map(),
    tables: [],
    nextRow: 0,
    nextColumn: 0,
    rowCount: 0,
  };
  for (const xml of [namedStyles, content]) parseElements(xml, state);
  const styleOf = styleCache(state.styles.formats);
  return (name) => {
    const sheet = state.sheets.get(name);
    return sheet && ((row, column, cell) => styleOf(styleNumberAt(sheet, row, column), cell));
  };
}

function parseElements(xml: string, state: State): void {
  const nesting = nestingCounter();
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nesting.open();
        const local = localName(name);
        odsStyleHandlers[local]?.(state.styles, withoutPrefixes(attributes));
        tableHandlers[local]?.(state, withoutPrefixes(attributes));
      },
      onclosetag(name) {
        nesting.close();
        if (localName(name) === 'table') state.tables.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
}

const repeats = (attributes: Attributes, name: string) => Math.max(1, Number(attributes[name]) || 1);
const styleNumber = ({ styles }: State, name: string | undefined) => (name ? styles.numbers.get(name) : undefined);

function addCells(state: State, attributes: Attributes): void {
  const [sheet, inner] = state.tables;
  if (!sheet || inner) return;
  const from = state.nextColumn;
  state.nextColumn += repeats(attributes, 'number-columns-repeated');
  const number = styleNumber(state, attributes['style-name']);
  const row = state.nextRow - state.rowCount;
  const cells = sheet.cells[row];
  if (number === undefined || !cells) return;
  for (let column = from; column < Math.min(state.nextColumn, MAX_COLUMNS); column++) cells[column] = number;
}

const tableHandlers: Record<string, (state: State, attributes: Attributes) => void> = {
  table(state, { name = '' }) {
    const sheet: StyleNumbers = { cells: [], rows: [], columns: [] };
    state.tables.push(sheet);
    if (state.tables.length > 1) return;
    state.sheets.set(name, sheet);
    state.nextRow = 0;
    state.nextColumn = 0;
  },
  'table-column'(state, attributes) {
    const [sheet, inner] = state.tables;
    if (!sheet || inner) return;
    const from = state.nextColumn;
    state.nextColumn += repeats(attributes, 'number-columns-repeated');
    const number = styleNumber(state, attributes['default-cell-style-name']);
    for (let column = from; column < Math.min(state.nextColumn, MAX_COLUMNS); column++) sheet.columns[column] = number;
  },
  'table-row'(state, attributes) {
    const [sheet, inner] = state.tables;
    if (!sheet || inner) return;
    const from = state.nextRow;
    state.rowCount = repeats(attributes, 'number-rows-repeated');
    state.nextRow += state.rowCount;
    state.nextColumn = 0;
    const number = styleNumber(state, attributes['default-cell-style-name']);
    // Repeated rows share the list that their cells fill.
    const cells: number[] = [];
    for (let row = from; row < Math.min(state.nextRow, MAX_ROWS); row++) {
      sheet.cells[row] = cells;
      sheet.rows[row] = number;
    }
  },
  'table-cell': addCells,
  'covered-table-cell': addCells,
};
