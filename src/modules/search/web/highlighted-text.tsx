import { TextWithHighlights } from '#platform/web/ui/text-with-highlights.tsx';
import type { SearchMarks } from '../search.contract.ts';

export const HighlightedText = ({ text, marks }: { text: string; marks: SearchMarks }) => (
  <TextWithHighlights
    text={text}
    spans={marks.map(([start, end]) => ({ start, end }))}
    className="rounded-[3px] bg-bean-soft font-medium text-bean"
  />
);
