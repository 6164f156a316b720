import { describe, expect, test } from 'vitest';
import { displayWidth, isCjkLetter, isWideCharacter, isWrittenWithoutSpaces } from './wide-characters.contract.ts';

const codeOf = (character: string) => character.codePointAt(0) ?? 0;

describe('a wide character', () => {
  test.each(['中', '𠮷', 'あ', 'カ', '한', '。', '，', '「', 'Ａ', '　', '￥', '😀'])('is %s', (character) => {
    expect(isWideCharacter(character)).toBe(true);
  });

  test.each(['a', 'é', '“', '…', '·', 'ｶ', '𝑥', ' ', 'д', ''])('is not %s', (character) => {
    expect(isWideCharacter(character)).toBe(false);
  });

  test('takes two columns of the display width of a text', () => {
    expect(displayWidth('豆库 CLI：ｶナ한글')).toBe(4 + 4 + 2 + 1 + 2 + 4);
  });
});

describe('a character that is written without spaces', () => {
  test.each(['中', '𠮷', 'あ', '。', 'Ａ', '\ud842', '\udfb7'])('is %j', (character) => {
    expect(isWrittenWithoutSpaces(codeOf(character))).toBe(true);
  });

  test.each(['한', 'a', '“', '𝑥', ' '])('is not %j', (character) => {
    expect(isWrittenWithoutSpaces(codeOf(character))).toBe(false);
  });
});

describe('a CJK letter', () => {
  test.each(['中', 'あ', 'カ', '한', '々', '\ud842'])('is %j', (character) => {
    expect(isCjkLetter(codeOf(character))).toBe(true);
  });

  test.each(['。', '・', '　', 'a', 'Ａ', '“'])('is not %j', (character) => {
    expect(isCjkLetter(codeOf(character))).toBe(false);
  });
});
