import { isWrittenWithoutSpaces } from '#modules/text/wide-characters.contract.ts';

const SPACES = /[\s\p{Cc}]+/gu;
/** Punctuation that Chinese shares with other scripts. */
const SHARED_PUNCTUATION = /[“”‘’…—·]/;
/** Shorter lines are titles or list items, which do not continue in the next line. */
const MIN_WRAPPED_LINE_LENGTH = 8;

/** Whether a Chinese sentence continues in the next line, so that the lines are joined without a space. */
function isLineWrap(text: string, from: number, to: number): boolean {
  const space = text.slice(from, to);
  if (!/[\n\r]/.test(space) || space.includes('\t')) return false;
  const [isBeforeUnspaced, isAfterUnspaced] = [
    isWrittenWithoutSpaces(text.charCodeAt(from - 1)),
    isWrittenWithoutSpaces(text.charCodeAt(to)),
  ];
  const isChinese =
    (isBeforeUnspaced && (isAfterUnspaced || SHARED_PUNCTUATION.test(text.charAt(to)))) ||
    (SHARED_PUNCTUATION.test(text.charAt(from - 1)) && isAfterUnspaced);
  if (!isChinese) return false;
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  // Cells of a table row are separated by tabs.
  return line.length >= MIN_WRAPPED_LINE_LENGTH && !line.includes('\t');
}

/** Joins the lines of a part of a text; `at` holds the offset of each character in the text. */
export function joinWrappedLines(text: string, start = 0, end = text.length): { line: string; at: number[] } {
  const at: number[] = [];
  let line = '';
  let from = start;
  const copyUntil = (to: number) => {
    line += text.slice(from, to);
    for (; from < to; from += 1) at.push(from);
  };
  SPACES.lastIndex = start;
  for (let match = SPACES.exec(text); match && match.index < end; match = SPACES.exec(text)) {
    copyUntil(match.index);
    from = Math.min(end, SPACES.lastIndex);
    if (line === '' || from === end || isLineWrap(text, match.index, SPACES.lastIndex)) continue;
    line += ' ';
    at.push(match.index);
  }
  copyUntil(end);
  return { line, at };
}
