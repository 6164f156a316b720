import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { docxWithDeletedRows } from '../deleted-rows.fixture.ts';
import { makeDocx } from '../document-files.fixture.ts';
import { hasTrackedChanges } from './has-tracked-changes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'tracked-changes-'));
const file = path.join(folder, 'document.docx');
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['utf8', 0],
  ['utf8', 80_000],
  ['utf16le', 0],
  ['utf16le', 80_000],
] as const)(
  'hasTrackedChanges is true for a docx with tracked changes in %s whose document part begins with %i blanks',
  async (encoding, blanks) => {
    writeFileSync(file, docxWithDeletedRows({ prefix: 'w:', encoding, blanks }));
    expect(await hasTrackedChanges(file, 'docx')).toBe(true);
  },
);

test('hasTrackedChanges is false for a docx without tracked changes', async () => {
  writeFileSync(file, makeDocx('No changes at all'));
  expect(await hasTrackedChanges(file, 'docx')).toBe(false);
});
