/** Bytes of each two-byte character. Node only decodes these encodings, so the decoder runs over all byte pairs. */
export function legacyEncodingTable(encoding: 'gb18030' | 'big5'): Map<string, Buffer> {
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
