import type { DemoContent } from './demo-document.ts';

type DemoText = Extract<DemoContent, { kind: 'text' }>;

/** Writes plain text in an encoding that is common for Chinese texts. */
export function encodePlainText({ encoding, text }: DemoText): Buffer {
  const lines = text.trim().replaceAll('\n', '\r\n');
  if (encoding === 'utf-8') return Buffer.from(lines);
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${lines}`, 'utf16le');
  const bytesByCharacter = encodingTable(encoding);
  return Buffer.concat(
    [...lines].map((character) => {
      const bytes = character <= '\x7f' ? Buffer.from(character) : bytesByCharacter.get(character);
      if (!bytes) throw new Error(`${character} cannot be written in ${encoding}`);
      return bytes;
    }),
  );
}

/** Node only decodes these encodings, so the decoder is run over all byte pairs. */
function encodingTable(encoding: 'gb18030' | 'big5'): Map<string, Buffer> {
  const table = new Map<string, Buffer>();
  const decoder = new TextDecoder(encoding);
  for (let high = 0x81; high <= 0xfe; high++)
    for (let low = 0x40; low <= 0xfe; low++) {
      const bytes = Buffer.from([high, low]);
      const character = decoder.decode(bytes);
      if ([...character].length === 1 && character !== '\ufffd' && !table.has(character)) table.set(character, bytes);
    }
  return table;
}
