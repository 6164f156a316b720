import type { Content } from '../demo-document.ts';

type Text = Extract<Content, { kind: 'text' }>;

/** A plain text in one of the encodings Chinese texts come in. */
export function writeText({ encoding, text }: Text): Buffer {
  const lines = text.trim().replaceAll('\n', '\r\n');
  if (encoding === 'utf-8') return Buffer.from(lines);
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${lines}`, 'utf16le');
  const table = tableOf(encoding);
  return Buffer.concat(
    [...lines].map((letter) => {
      const bytes = letter <= '\x7f' ? Buffer.from(letter) : table.get(letter);
      if (!bytes) throw new Error(`${letter} cannot be written in ${encoding}`);
      return bytes;
    }),
  );
}

/** Node decodes these encodings but does not write them: the table is read backwards. */
function tableOf(encoding: 'gb18030' | 'big5'): Map<string, Buffer> {
  const table = new Map<string, Buffer>();
  const decoder = new TextDecoder(encoding);
  for (let high = 0x81; high <= 0xfe; high++)
    for (let low = 0x40; low <= 0xfe; low++) {
      const bytes = Buffer.from([high, low]);
      const letter = decoder.decode(bytes);
      if ([...letter].length === 1 && letter !== '\ufffd' && !table.has(letter)) table.set(letter, bytes);
    }
  return table;
}
