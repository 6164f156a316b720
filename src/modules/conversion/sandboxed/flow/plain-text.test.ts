import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pageName } from '../../page-name.ts';
import { convertToFlow } from './convert-to-flow.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'plain-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a converted plain text keeps tabs and leading spaces in its sections and its text file', async () => {
  const lines = ['name\tvalue', '    indented code', '\u3000\u3000一段正文', 'plain line'];
  const file = path.join(folder, 'notes.txt');
  writeFileSync(file, lines.join('\n'));
  await convertToFlow({ file, folder, format: 'txt' }, () => {});
  const { html, text } = JSON.parse(readFileSync(path.join(folder, 'f', `${pageName(1)}.json`), 'utf8'));
  expect(text.split('\n')).toEqual(lines);
  expect(readFileSync(path.join(folder, 'text.txt'), 'utf8')).toBe(lines.join('\n'));
  expect(html).toBe(
    '<p class="spaced">name\tvalue</p><p class="spaced">    indented code</p><p class="spaced">\u3000\u3000一段正文</p><p>plain line</p>',
  );
});
