const SPACES = /[\s\p{Cc}]+/gu;
/** Set without spaces between each other. */
const WIDE = /[\u2e80-\u9fff\ud800-\udfff\uf900-\ufaff\uff00-\uffef]/;
/** Marks that Chinese shares with other scripts. */
const SHARED = /[“”‘’…—·]/;
/** Lines that are shorter are titles or items; the next one does not go on with them. */
const SHORTEST_LINE = 8;

/** Whether a Chinese sentence merely goes on in the next line: then nothing stands between the two. */
function isSeam(text: string, from: number, to: number): boolean {
  const space = text.slice(from, to);
  if (!/[\n\r]/.test(space) || space.includes('\t')) return false;
  const [before, after] = [text.charAt(from - 1), text.charAt(to)];
  const isChinese =
    (WIDE.test(before) && (WIDE.test(after) || SHARED.test(after))) || (SHARED.test(before) && WIDE.test(after));
  if (!isChinese) return false;
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from);
  // Rows of a table have their cells apart.
  return line.length >= SHORTEST_LINE && !line.includes('\t');
}

/** Part of a text in one line, and for each of its characters where it stands in the text. */
export function joinLines(text: string, start = 0, end = text.length): { line: string; at: number[] } {
  const at: number[] = [];
  let line = '';
  let from = start;
  const take = (to: number) => {
    line += text.slice(from, to);
    for (; from < to; from += 1) at.push(from);
  };
  SPACES.lastIndex = start;
  for (let found = SPACES.exec(text); found && found.index < end; found = SPACES.exec(text)) {
    take(found.index);
    from = Math.min(end, SPACES.lastIndex);
    if (line === '' || from === end || isSeam(text, found.index, SPACES.lastIndex)) continue;
    line += ' ';
    at.push(found.index);
  }
  take(end);
  return { line, at };
}
