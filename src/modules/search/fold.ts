import traditional from 'opencc-js/dict/TSCharacters';
import { type Folded, fold } from '#modules/reading/find-text.contract.ts';

let table: Uint16Array | null = null;

/** For every traditional character the simplified one; a character stays one character. */
function simplified(): Uint16Array {
  if (table) return table;
  const made = new Uint16Array(0x10000);
  for (const pair of traditional.split('|')) {
    const [from = '', to = ''] = pair.split(' ');
    if (from.length === 1 && to.length === 1) made[from.charCodeAt(0)] = to.charCodeAt(0);
  }
  // Letters that are drawn alike but have a number of their own: ⾦ and 金, ﬁ stays.
  for (const [first, last] of [
    [0x2f00, 0x2fd5],
    [0xf900, 0xfaff],
  ] as const)
    for (let code = first; code <= last; code += 1) {
      const plain = String.fromCharCode(code).normalize('NFKC');
      if (plain.length !== 1) continue;
      const target = plain.charCodeAt(0);
      if (target !== code) made[code] = made[target] || target;
    }
  table = made;
  return made;
}

const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });

/** Traditional characters as simplified ones, each where it stood. */
export function simplify(text: string): string {
  const known = simplified();
  let codes: Uint16Array | null = null;
  for (let index = 0; index < text.length; index += 1) {
    const target = known[text.charCodeAt(index)];
    if (!target) continue;
    codes ??= Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    codes[index] = target;
  }
  // Halves of characters would be replaced by the decoder, which keeps the length all the same.
  return codes ? decoder.decode(codes) : text;
}

/** What makes no difference to a search is gone: case, width, script, spaces set by layout. */
export const foldText = (text: string): Folded => fold(simplify(text));
export const foldedText = (text: string): string => foldText(text).text;
