import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { legacyEncodingTable } from '#modules/text/legacy-encoding-table.ts';
import { decodeText, detectEncoding } from './text-encoding.ts';

function createEncoder(encoding: 'gb18030' | 'big5') {
  const table = legacyEncodingTable(encoding);
  return (text: string) =>
    Buffer.concat(
      [...text].map((character) =>
        character <= '\x7f' ? Buffer.from(character) : (table.get(character) ?? Buffer.from('?')),
      ),
    );
}
const encodeGbk = createEncoder('gb18030');
const encodeBig5 = createEncoder('big5');
const encodeUtf16 = (text: string) => Buffer.from(text, 'utf16le');

const simplifiedTexts = {
  novel: '黄昏的时候，他从山上走下来，看见村口的老树下坐着几个人，正在说今年的收成。',
  report: '根据统计，2025年全市生产总值比上年增长百分之五点二，其中第三产业增加值占比继续提高。',
  code: '# 读取配置\nconst value = config.get("name"); // 如果没有，就用默认值\n'.repeat(3),
  short: '豆库文档',
  list: '苹果,12\n香蕉,7\n西瓜,3\n',
};
const traditional = {
  novel: '黃昏的時候，他從山上走下來，看見村口的老樹下坐著幾個人，正在說今年的收成。',
  report: '根據統計，全市生產總值比上年增長百分之五點二，其中第三產業增加值佔比繼續提高。',
  letter: '親愛的朋友：您好！我們已經收到您的來信，謝謝您的關心與支持。',
};

describe('detectEncoding', () => {
  test.each(Object.entries(simplifiedTexts))('detects GBK: %s', (_, text) => {
    const bytes = encodeGbk(text);
    expect(detectEncoding(bytes)).toBe('gb18030');
    expect(decodeText(bytes, 'gb18030')).toBe(text);
  });
  test.each(Object.entries(traditional))('detects Big5: %s', (_, text) => {
    const bytes = encodeBig5(text);
    expect(detectEncoding(bytes)).toBe('big5');
    expect(decodeText(bytes, 'big5')).toBe(text);
  });
  test.each(Object.entries({ ...simplifiedTexts, ...traditional }))(
    'detects UTF-8 with and without a byte order mark: %s',
    (_, text) => {
      expect(detectEncoding(Buffer.from(text))).toBe('utf-8');
      const textWithMark = Buffer.from(`\ufeff${text}`);
      expect(decodeText(textWithMark, detectEncoding(textWithMark) ?? 'utf-8')).toBe(text);
    },
  );
  test.each(Object.entries({ ...simplifiedTexts, ...traditional }))(
    'detects UTF-16 of both byte orders with a byte order mark: %s',
    (_, text) => {
      const littleEndian = encodeUtf16(`\ufeff${text}`);
      const bigEndian = encodeUtf16(`\ufeff${text}`).swap16();
      expect([detectEncoding(littleEndian), detectEncoding(bigEndian)]).toEqual(['utf-16le', 'utf-16be']);
      expect(decodeText(littleEndian, 'utf-16le')).toBe(text);
      expect(decodeText(bigEndian, 'utf-16be')).toBe(text);
    },
  );
  test('detects UTF-16 without a byte order mark when the text has line ends', () => {
    const text = `${simplifiedTexts.novel}\n${simplifiedTexts.report}\n`;
    expect(detectEncoding(encodeUtf16(text))).toBe('utf-16le');
    expect(detectEncoding(encodeUtf16(text).swap16())).toBe('utf-16be');
  });
  test('detects GB18030 with characters of four bytes', () => {
    const bytes = Buffer.concat([encodeGbk(simplifiedTexts.report), Buffer.from([0x95, 0x32, 0x82, 0x36])]);
    expect(detectEncoding(bytes)).toBe('gb18030');
    expect(decodeText(bytes, 'gb18030')).toBe(`${simplifiedTexts.report}𠀀`);
  });
  test('detects UTF-8 when the sample ends within a character', () => {
    const bytes = Buffer.from(simplifiedTexts.novel.repeat(3_000));
    expect(detectEncoding(bytes.subarray(0, 256 * 1024 + 1))).toBe('utf-8');
  });
  test('detects windows-1252 and plain ASCII in Western texts', () => {
    expect(detectEncoding(Buffer.from('Le café est fermé à midi, déjà.', 'latin1'))).toBe('windows-1252');
    expect(detectEncoding(Buffer.from('plain words only'))).toBe('utf-8');
  });
});

test('detectEncoding returns null for binary data', () => {
  const noise = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256));
  expect(detectEncoding(noise)).toBeNull();
  expect(detectEncoding(readFileSync(process.execPath).subarray(0, 100_000))).toBeNull();
});
