import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { docxWithDeletedRows } from '../deleted-rows.fixture.ts';
import { makeDocx } from '../document-files.fixture.ts';
import { hasTrackedChanges } from './tracked-changes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tracked-changes-'));
const file = path.join(folder, 'document.docx');
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['utf8', 0],
  ['utf8', 80_000],
  ['utf16le', 0],
  ['utf16le', 80_000],
] as const)(
  'tracked changes of a docx are detected when its document part is in %s and begins with %i blanks',
  async (encoding, blanks) => {
    writeFileSync(file, docxWithDeletedRows({ prefix: 'w:', encoding, blanks }));
    expect(await hasTrackedChanges(file, 'docx')).toBe(true);
  },
);

test('no tracked changes are detected in a docx without any', async () => {
  writeFileSync(file, makeDocx('No changes at all'));
  expect(await hasTrackedChanges(file, 'docx')).toBe(false);
});
