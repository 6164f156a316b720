import { legacyEncodingTable } from '#modules/text/legacy-encoding-table.ts';
import type { DemoContent } from './demo-document.ts';

type DemoText = Extract<DemoContent, { kind: 'text' }>;

export function encodePlainText({ encoding, text }: DemoText): Buffer {
  const lines = text.trim().replaceAll('\n', '\r\n');
  if (encoding === 'utf-8') return Buffer.from(lines);
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${lines}`, 'utf16le');
  const bytesByCharacter = legacyEncodingTable(encoding);
  return Buffer.concat(
    [...lines].map((character) => {
      const bytes = character <= '\x7f' ? Buffer.from(character) : bytesByCharacter.get(character);
      if (!bytes) throw new Error(`${character} cannot be written in ${encoding}`);
      return bytes;
    }),
  );
}
