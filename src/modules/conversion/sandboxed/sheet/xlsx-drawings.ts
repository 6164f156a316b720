import { DomUtils, ElementType } from 'htmlparser2';
import { openZip, type Zip } from '../flow/zip-reader.ts';
import { removeHiddenPoints } from '../sheet-pictures/remove-hidden-points.ts';
import { createVisibilityReader, type WorkbookVisibility } from '../sheet-pictures/workbook-visibility.ts';
import { findElementsByLocalName, localName, parseXml, type XmlNodes } from '../xml-elements.ts';
import { readDrawingPart } from './drawing-part.ts';
import { cleanCellText, MAX_COLUMNS, MAX_ROWS_WITHOUT_STREAMING, MAX_SHEETS } from './limits.ts';
import type { Drawings } from './sheet.ts';
import { listSheetParts, parseRelations, relationsPartPath } from './workbook-parts.ts';

type Elements = ReturnType<typeof findElementsByLocalName>;

const MAX_DRAWINGS = 200;

const joinElementText = (nodes: XmlNodes, separator = '') =>
  cleanCellText(
    findElementsByLocalName(nodes, 't', 'v')
      .map((node) => DomUtils.textContent(node))
      .join(separator)
      .trim(),
  );

/** Reads the text of shapes, and charts as tables, of these sheets. */
export async function readXlsxDrawings(file: string, sheetNames: ReadonlySet<string>): Promise<Drawings> {
  const zip = await openZip(file);
  try {
    const drawings: Drawings = new Map();
    const sheets = await listSheetParts(zip);
    const { visibility } = createVisibilityReader(zip, sheets);
    for (const { name, part } of sheets.slice(0, MAX_SHEETS)) {
      const cleanName = cleanCellText(name).slice(0, 100);
      const rows = part && sheetNames.has(cleanName) ? await readSheetDrawings(zip, part, visibility) : null;
      if (rows) drawings.set(cleanName, rows.slice(0, MAX_ROWS_WITHOUT_STREAMING));
    }
    return drawings;
  } finally {
    zip.close();
  }
}

const drawingRelations = async (zip: Zip, part: string) =>
  parseRelations(part, await readDrawingPart(zip, relationsPartPath(part)));

/** XML booleans are "1" or "true". */
const isXmlTrue = (value: string | undefined) => value === '1' || value === 'true';

/** Returns null for a sheet without drawings. */
async function readSheetDrawings(zip: Zip, sheet: string, visibility: WorkbookVisibility): Promise<string[][] | null> {
  const drawings = (await drawingRelations(zip, sheet)).filter(({ type }) => type === 'drawing');
  if (drawings.length === 0) return null;
  const rows: string[][] = [];
  for (const { target } of drawings) {
    const relations = await drawingRelations(zip, target);
    const anchors = findElementsByLocalName(parseXml(await readDrawingPart(zip, target)), ...anchorNames);
    for (const { children } of anchors.slice(0, MAX_DRAWINGS)) {
      if (findElementsByLocalName(children, 'cNvPr').some(({ attribs }) => isXmlTrue(attribs.hidden))) continue;
      rows.push(...shapeRows(children));
      for (const { attribs } of findElementsByLocalName(children, 'chart')) {
        const chart = relations.find(({ id }) => id === attribs['r:id'])?.target;
        if (!chart) continue;
        const xml = parseXml(await readDrawingPart(zip, chart));
        await removeHiddenPoints(xml, visibility);
        rows.push(...chartRows(xml));
      }
    }
  }
  return rows;
}

const anchorNames = ['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor'];

/** Returns a row for each paragraph of a text box or shape. */
const shapeRows = (nodes: XmlNodes): string[][] =>
  findElementsByLocalName(nodes, 'p')
    .map(({ children }) => [joinElementText(children)])
    .filter(([text]) => text !== '');

/** Returns the title of a chart, its categories, and a row for each series. */
function chartRows(nodes: XmlNodes): string[][] {
  const series = findElementsByLocalName(nodes, 'ser');
  const child = ({ children }: Elements[number], name: string): XmlNodes =>
    children.filter((node) => node.type === ElementType.Tag && localName(node.name) === name);
  const valuesOf = (ser: Elements[number], ...names: string[]) =>
    names
      .flatMap((name) => findElementsByLocalName(child(ser, name), 'pt'))
      .slice(0, MAX_COLUMNS - 1)
      .map(({ children }) => joinElementText(children));
  const [first] = series;
  const titles = findElementsByLocalName(nodes, 'title').map(({ children }) => [joinElementText(children)]);
  const categories = first ? valuesOf(first, 'cat', 'xVal') : [];
  return [
    ...titles,
    ...(categories.length > 0 ? [['', ...categories]] : []),
    ...series.map((ser) => [joinElementText(child(ser, 'tx')), ...valuesOf(ser, 'val', 'yVal')]),
  ].filter((row) => row.some(Boolean));
}
