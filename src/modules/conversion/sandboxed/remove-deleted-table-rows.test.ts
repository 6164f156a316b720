import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { docxWithDeletedRows } from '../deleted-rows.fixture.ts';
import { makeDocx } from '../document-files.fixture.ts';
import { openZip } from './flow/zip-reader.ts';
import { removeDeletedTableRows } from './remove-deleted-table-rows.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'deleted-rows-'));
const file = path.join(folder, 'document.docx');
const output = path.join(folder, 'rows.docx');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(output, { force: true }));

async function readParts(archive: string): Promise<Map<string, Buffer | null>> {
  const zip = await openZip(archive);
  const parts = new Map<string, Buffer | null>();
  for (const name of zip.names) parts.set(name, await zip.read(name));
  zip.close();
  return parts;
}

const textsOf = (xml: unknown) => [...String(xml).matchAll(/<[\w:]*t>([^<]*)</g)].map(([, t]) => t);
const visibleTexts = ['Before.', 'First', 'row', 'Inserted', 'row', 'Last', 'Between.', 'After.'];

test.each([0, 16, 80_000])(
  'removeDeletedTableRows removes deleted table rows of a docx whose document part begins with %i blanks',
  async (blanks) => {
    writeFileSync(file, docxWithDeletedRows({ prefix: 'w:', encoding: 'utf8', blanks }));
    await removeDeletedTableRows({ file, folder });
    const parts = await readParts(output);
    expect(textsOf(parts.get('word/document.xml'))).toEqual(visibleTexts);
  },
);

test('removeDeletedTableRows writes no file for a docx without deleted table rows', async () => {
  writeFileSync(file, makeDocx('No changes at all'));
  await removeDeletedTableRows({ file, folder });
  expect(existsSync(output)).toBe(false);
});

test('removeDeletedTableRows copies the other parts of a docx unchanged and in their order', async () => {
  writeFileSync(file, docxWithDeletedRows({ prefix: 'w:', encoding: 'utf8' }));
  const members = [...(await readParts(file))].map(([name, body]) => ({ name, body: body ?? '' }));
  const pictures = [1, 2, 3].map((number) => ({
    name: `word/media/图片${number}.png`,
    body: Buffer.alloc(number * 100_000, `picture ${number}`),
  }));
  writeFileSync(file, writeZip([...members, ...pictures]));
  await removeDeletedTableRows({ file, folder });
  const [original, parts] = [await readParts(file), await readParts(output)];
  expect(textsOf(parts.get('word/document.xml'))).toEqual(visibleTexts);
  expect([...parts.keys()]).toEqual([...original.keys()]);
  for (const [name, body] of original) if (name !== 'word/document.xml') expect(parts.get(name), name).toEqual(body);
});
