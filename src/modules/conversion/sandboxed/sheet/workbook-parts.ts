import { posix } from 'node:path';
import type { Zip } from '../flow/zip-reader.ts';
import { findElementsByLocalName, parseXml } from '../xml-elements.ts';
import { BUNDLE_SHEET_RECORD, readWideString, readXlsbRecords } from './xlsb-records.ts';

export type SheetPart = { name: string; part: string | undefined };

/** Sheets of an xlsx or xlsb file in order, with the paths of their parts. */
export async function listSheetParts(zip: Zip): Promise<SheetPart[]> {
  const binary = await zip.read('xl/workbook.bin');
  const workbook = binary ? 'xl/workbook.bin' : 'xl/workbook.xml';
  const relations = parseRelations(workbook, await zip.read(relationsPartPath(workbook)));
  const partOf = (relation: string | undefined) => relations.find(({ id }) => id === relation)?.target;
  if (binary) return listBinarySheets(binary).map(({ name, relation }) => ({ name, part: partOf(relation) }));
  const sheets = findElementsByLocalName(parseXml(await zip.read(workbook)), 'sheet');
  return sheets.map(({ attribs }) => ({ name: attribs.name ?? '', part: partOf(attribs['r:id']) }));
}

/** Bytes of the visibility and the number of a sheet, before its relation and its name. */
const SHEET_STATE_BYTES = 8;

const listBinarySheets = (workbook: Buffer): { name: string; relation: string }[] =>
  [...readXlsbRecords(workbook)].flatMap(({ type, body }) => {
    const relation = type === BUNDLE_SHEET_RECORD ? readWideString(body, SHEET_STATE_BYTES) : null;
    const name = relation && readWideString(body, relation.end);
    return name ? [{ name: name.text, relation: relation.text }] : [];
  });

/** Path of the part that lists the relations of another part. */
export const relationsPartPath = (part: string) =>
  posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);

type Relation = { id: string; type: string; target: string };

export const parseRelations = (part: string, bytes: Buffer | null): Relation[] =>
  findElementsByLocalName(parseXml(bytes), 'Relationship').map(({ attribs }) => ({
    id: attribs.Id ?? '',
    type: posix.basename(attribs.Type ?? ''),
    // Targets with a leading slash, as written by openpyxl, are paths from the root of the file.
    target: posix.resolve('/', posix.dirname(part), attribs.Target ?? '').slice(1),
  }));
