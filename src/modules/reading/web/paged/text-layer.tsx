import { type CSSProperties, memo } from 'react';
import type { ReadingWord } from '../../reading.contract.ts';
import { runsOf, type TextRun } from './text-runs.ts';

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

/** In its own ems, which grow with the page: the browser has nothing to reckon for each of them. */
const styleOf = ({ x, y, height, scale }: TextRun): CSSProperties => ({
  fontSize: `${height / 100}em`,
  left: `${(x / height).toFixed(4)}em`,
  top: `${(y / height).toFixed(4)}em`,
  transform: `scaleX(${scale.toFixed(4)})`,
});

/** The words of a page, unseen over its picture: to select, to copy, to be read aloud. */
export const TextLayer = memo(function TextLayer({ lines }: { lines: ReadingWord[][] }) {
  return (
    <div data-words="" className="reader-words">
      {[...lines.entries()].map(([place, line]) => (
        <div key={place}>
          {[...runsOf(line, naturalWidth).entries()].map(([at, run]) => (
            <span key={at} style={styleOf(run)}>
              {run.text}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
});
