import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { flowWriter } from './flow-writer.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'flow-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a link to a note in a book contains the section of the note and its relative position', () => {
  const writer = flowWriter(folder, () => {});
  const note = encodeURIComponent('one#note');
  writer.add({ html: `<p><a href="#place:${note}">注</a></p>`, text: '山'.repeat(60), ids: ['top'] }, 'one');
  writer.add({ html: '<p>一条注释</p>', text: '云'.repeat(19), ids: ['note'] }, 'one');
  writer.beginChapter('第二章');
  writer.add({ html: '<p><a href="#place:one%23top">回到开头</a></p>', text: '回到开头' }, 'two');
  writer.finish({});
  const [first, second] = ['00001', '00002'].map(
    (page) => JSON.parse(readFileSync(`${folder}/f/${page}.json`, 'utf8')).html,
  );
  expect(first).toContain('<a href="#p=1" data-at="0.750">注</a>');
  expect(second).toContain('<a href="#p=1">回到开头</a>');
});
