import { DomUtils, parseDocument } from 'htmlparser2';
import { openZip, type Zip } from '../flow/zip-reader.ts';
import { cellText, MAX_COLUMNS, MAX_ROWS, MAX_SHEETS } from './limits.ts';
import type { Drawings } from './sheet.ts';

type Nodes = ReturnType<typeof parseDocument>['children'];

const MAX_OBJECTS = 200;

const elements = (name: string, nodes: Nodes) => DomUtils.getElementsByTagName(name, nodes, true);
const paragraphs = (nodes: Nodes): string[] =>
  elements('text:p', nodes)
    .map((node) => cellText(DomUtils.textContent(node).trim()))
    .filter(Boolean);

const parse = (bytes: Buffer | null) =>
  parseDocument(bytes?.toString('utf8') ?? '', { xmlMode: true }).children;

/** The drawings of an OpenDocument workbook: text of shapes, and charts as tables. */
export async function odsDrawings(file: string): Promise<Drawings> {
  const zip = await openZip(file);
  try {
    const drawings: Drawings = new Map();
    const tables = elements('table:table', parse(await zip.read('content.xml')));
    for (const { attribs, children } of tables.slice(0, MAX_SHEETS)) {
      const shapes = DomUtils.findAll(({ name }) => name.startsWith('draw:'), children);
      if (shapes.length === 0) continue;
      const rows = paragraphs(children).map((text) => [text]);
      for (const object of elements('draw:object', children).slice(0, MAX_OBJECTS))
        rows.push(...(await chartRows(zip, object.attribs['xlink:href'] ?? '')));
      drawings.set(cellText(attribs['table:name'] ?? '').slice(0, 100), rows.slice(0, MAX_ROWS));
    }
    return drawings;
  } finally {
    zip.close();
  }
}

/** Charts keep their data in a table of their own. */
async function chartRows(zip: Zip, href: string): Promise<string[][]> {
  const chart = parse(await zip.read(`${href.replace(/^\.\//, '')}/content.xml`));
  const titles = elements('chart:title', chart).map(({ children }) => [
    paragraphs(children).join(' '),
  ]);
  const rows = elements('table:table-row', chart).map(({ children }) =>
    elements('table:table-cell', children)
      .slice(0, MAX_COLUMNS)
      .map((cell) => paragraphs(cell.children).join(' ')),
  );
  return [...titles, ...rows].filter((row) => row.some(Boolean));
}
