import { expect, test } from 'vitest';
import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';
import { detectZipFormat } from './zip-format.ts';

const detectFormat = (members: ZipMember[]) => {
  const file = writeZip(members);
  const read = async (start: number, length: number) => file.subarray(start, start + length);
  return detectZipFormat({ size: file.length, read });
};
const odsMimetype = 'application/vnd.oasis.opendocument.spreadsheet';

test('detectZipFormat finds the mimetype member at any position, stored or compressed', async () => {
  const content = { name: 'content.xml', body: '<table/>' };
  for (const mimetype of [
    { name: 'mimetype', body: odsMimetype, isStored: true },
    { name: 'mimetype', body: odsMimetype },
  ]) {
    expect(await detectFormat([mimetype, content])).toBe('ods');
    expect(await detectFormat([content, mimetype])).toBe('ods');
  }
});

test('detectZipFormat returns null for an archive without a known mimetype or folder', async () => {
  expect(await detectFormat([{ name: 'mimetype', body: 'text/plain' }])).toBeNull();
  expect(await detectFormat([{ name: 'notes.txt', body: odsMimetype }])).toBeNull();
});
