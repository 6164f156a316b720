import { DomUtils, Parser } from 'htmlparser2';
import { openZip, type Zip } from '../flow/zip-reader.ts';
import { parseXml, type XmlNodes } from '../xml-elements.ts';
import { readDrawingPart } from './drawing-part.ts';
import { cleanCellText, MAX_COLUMNS, MAX_ROWS_WITHOUT_STREAMING, MAX_SHEETS } from './limits.ts';
import { MAX_CONTENT_BYTES, parseOdsVisibility } from './ods-visibility.ts';
import type { Drawings } from './sheet.ts';

type Attributes = Record<string, string>;
type SheetShapes = { name: string; hasShapes: boolean; paragraphs: string[]; objects: string[] };

const MAX_OBJECTS = 200;
const MAX_PARAGRAPH_CHARACTERS = 10_000;

const findElementsByName = (name: string, nodes: XmlNodes) => DomUtils.getElementsByTagName(name, nodes, true);
const paragraphs = (nodes: XmlNodes): string[] =>
  findElementsByName('text:p', nodes)
    .map((node) => cleanCellText(DomUtils.textContent(node).trim()))
    .filter(Boolean);

/** Reads the text of shapes, and charts as tables. */
export async function readOdsDrawings(file: string): Promise<Drawings> {
  const zip = await openZip(file);
  try {
    const drawings: Drawings = new Map();
    const content = (await zip.read('content.xml', MAX_CONTENT_BYTES))?.toString('utf8') ?? '';
    let hasHidden: boolean | undefined;
    const hasHiddenCells = () =>
      (hasHidden ??= [...parseOdsVisibility(content).values()].some((sheet) => sheet.hasHiddenCells));
    for (const sheet of readShapes(content).slice(0, MAX_SHEETS)) {
      if (!sheet.hasShapes) continue;
      const rows = sheet.paragraphs.map((text) => [text]);
      for (const href of sheet.objects.slice(0, MAX_OBJECTS))
        rows.push(...(await chartRows(zip, href, hasHiddenCells)));
      drawings.set(cleanCellText(sheet.name).slice(0, 100), rows.slice(0, MAX_ROWS_WITHOUT_STREAMING));
    }
    return drawings;
  } finally {
    zip.close();
  }
}

/** Comments, hidden shapes, and hidden rows with their shapes. */
const isHiddenElement = (name: string, attributes: Attributes) =>
  name === 'office:annotation' ||
  attributes['draw:display'] === 'none' ||
  attributes['table:display'] === 'false' ||
  ['collapse', 'filter'].includes(attributes['table:visibility'] ?? '');

/** Reads only shapes: the text of cells is long and may be hidden. */
function readShapes(xml: string): SheetShapes[] {
  const sheets: SheetShapes[] = [];
  // Number of open elements of each kind.
  const open = { hidden: 0, table: 0, shape: 0, paragraph: 0 };
  let paragraph = '';
  const kindOf = (name: string) => {
    if (name === 'table:table') return 'table';
    if (name === 'text:p') return 'paragraph';
    return name.startsWith('draw:') ? 'shape' : null;
  };
  const onopentag = (name: string, attributes: Attributes) => {
    if (open.hidden > 0 || isHiddenElement(name, attributes)) return void open.hidden++;
    const kind = kindOf(name);
    if (kind) open[kind]++;
    if (kind === 'table' && open.table === 1) {
      const sheetName = attributes['table:name'] ?? '';
      sheets.push({ name: sheetName, hasShapes: false, paragraphs: [], objects: [] });
    }
    const sheet = open.table > 0 ? sheets.at(-1) : undefined;
    if (!sheet || open.shape === 0) return;
    sheet.hasShapes = true;
    if (name === 'draw:object') sheet.objects.push(attributes['xlink:href'] ?? '');
  };
  const ontext = (text: string) => {
    const isShapeText = open.hidden === 0 && open.shape > 0 && open.paragraph > 0;
    if (isShapeText && paragraph.length < MAX_PARAGRAPH_CHARACTERS) paragraph += text;
  };
  const onclosetag = (name: string) => {
    if (open.hidden > 0) return void open.hidden--;
    const kind = kindOf(name);
    if (kind) open[kind]--;
    if (kind !== 'paragraph') return;
    const text = cleanCellText(paragraph.trim());
    paragraph = '';
    if (text && open.table > 0) sheets.at(-1)?.paragraphs.push(text);
  };
  new Parser({ onopentag, ontext, onclosetag }, { xmlMode: true }).end(xml);
  return sheets;
}

/**
 * A chart stores its data in its own table. LibreOffice does not write the table again while the chart is not on the
 * screen, so it may contain cells that were hidden later.
 */
async function chartRows(zip: Zip, href: string, hasHiddenCells: () => boolean): Promise<string[][]> {
  const chart = parseXml(await readDrawingPart(zip, `${href.replace(/^\.\//, '')}/content.xml`));
  const titles = findElementsByName('chart:title', chart).map(({ children }) => [paragraphs(children).join(' ')]);
  const isWithoutHiddenCells = findElementsByName('style:chart-properties', chart).some(
    ({ attribs }) => attribs['chart:include-hidden-cells'] === 'false',
  );
  if (isWithoutHiddenCells && hasHiddenCells()) return titles.filter(([title]) => title !== '');
  const rows = findElementsByName('table:table-row', chart).map(({ children }) =>
    findElementsByName('table:table-cell', children)
      .slice(0, MAX_COLUMNS)
      .map((cell) => paragraphs(cell.children).join(' ')),
  );
  return [...titles, ...rows].filter((row) => row.some(Boolean));
}
