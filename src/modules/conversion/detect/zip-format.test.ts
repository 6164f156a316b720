import { expect, test } from 'vitest';
import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';
import { zipFormat } from './zip-format.ts';

const formatOf = (members: ZipMember[]) => {
  const file = writeZip(members);
  const read = async (start: number, length: number) => file.subarray(start, start + length);
  return zipFormat({ size: file.length, read });
};
const type = 'application/vnd.oasis.opendocument.spreadsheet';

test('what a file declares is found wherever it stands, packed or not', async () => {
  const content = { name: 'content.xml', body: '<table/>' };
  for (const mimetype of [
    { name: 'mimetype', body: type, isStored: true },
    { name: 'mimetype', body: type },
  ]) {
    expect(await formatOf([mimetype, content])).toBe('ods');
    expect(await formatOf([content, mimetype])).toBe('ods');
  }
});

test('an archive that declares nothing known is no document', async () => {
  expect(await formatOf([{ name: 'mimetype', body: 'text/plain' }])).toBeNull();
  expect(await formatOf([{ name: 'notes.txt', body: type }])).toBeNull();
});
