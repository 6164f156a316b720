import type { SearchMarks } from '../search.contract.ts';

/** A text with the words that were looked for standing out. */
export function Marked({ text, marks }: { text: string; marks: SearchMarks }) {
  const parts: { at: number; text: string; isMarked: boolean }[] = [];
  let done = 0;
  for (const [from, to] of marks) {
    if (from > done) parts.push({ at: done, text: text.slice(done, from), isMarked: false });
    parts.push({ at: from, text: text.slice(from, to), isMarked: true });
    done = to;
  }
  parts.push({ at: done, text: text.slice(done), isMarked: false });
  return parts.map((part) =>
    part.isMarked ? (
      <mark key={part.at} className="rounded-[3px] bg-bean-soft font-medium text-bean">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
