import { type CSSProperties, memo } from 'react';
import type { ReadingWord } from '../../reading.contract.ts';
import { joinWordsIntoRuns, type TextRun } from './text-runs.ts';

const FONT = 'sans-serif';
let canvas: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();
const MAX_CACHED_WIDTHS = 20_000;

/** Natural width of a text in ems. */
function naturalWidth(text: string): number {
  const cachedWidth = widths.get(text);
  if (cachedWidth !== undefined) return cachedWidth;
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return text.length;
  canvas.font = `100px ${FONT}`;
  const width = canvas.measureText(text).width / 100;
  if (widths.size > MAX_CACHED_WIDTHS) widths.clear();
  widths.set(text, width);
  return width;
}

/** Uses ems, which scale with the page, so that the browser need not evaluate `calc()` for each run. */
const textRunStyle = ({ x, y, height, scale }: TextRun): CSSProperties => ({
  fontSize: `${height / 100}em`,
  left: `${(x / height).toFixed(4)}em`,
  top: `${(y / height).toFixed(4)}em`,
  transform: `scaleX(${scale.toFixed(4)})`,
});

/** Transparent text over the page image, for selection, copying and screen readers. */
export const TextLayer = memo(function TextLayer({ lines }: { lines: ReadingWord[][] }) {
  return (
    <div data-words="" className="reader-words">
      {[...lines.entries()].map(([index, line]) => (
        <div key={index}>
          {[...joinWordsIntoRuns(line, naturalWidth).entries()].map(([at, run]) => (
            <span key={at} style={textRunStyle(run)}>
              {run.text}
            </span>
          ))}
        </div>
      ))}
    </div>
  );
});
