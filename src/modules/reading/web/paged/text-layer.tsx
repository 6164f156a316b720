import { type CSSProperties, memo } from 'react';
import type { ReadingWord } from '../../reading.contract.ts';

const FONT = 'sans-serif';
let canvas: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();
const MAX_KNOWN = 20_000;

/** How wide a text is by itself, in ems. */
function naturalWidth(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return text.length;
  canvas.font = `100px ${FONT}`;
  const width = canvas.measureText(text).width / 100;
  if (widths.size > MAX_KNOWN) widths.clear();
  widths.set(text, width);
  return width;
}

function styleOf([text, x, y, width, height]: ReadingWord): CSSProperties {
  const natural = naturalWidth(text.trimEnd()) * height;
  const scale = natural > 0 && width > 0 ? width / natural : 1;
  return {
    left: `calc(var(--u) * ${x})`,
    top: `calc(var(--u) * ${y})`,
    fontSize: `calc(var(--u) * ${height})`,
    transform: `scaleX(${scale.toFixed(4)})`,
  };
}

/** The words of a page, unseen over its picture: to select, to copy, to be read aloud. */
export const TextLayer = memo(function TextLayer({ lines }: { lines: ReadingWord[][] }) {
  return (
    <div data-words="" className="reader-words">
      {[...lines.entries()].map(([place, line]) => (
        <div key={place}>
          {[...line.entries()].map(([at, word]) => (
            <span key={at} style={styleOf(word)}>
              {word[0]}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
});
