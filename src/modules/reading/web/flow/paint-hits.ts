const HIGHLIGHT_NAME = 'reader-hit';
const ACTIVE_HIGHLIGHT_NAME = 'reader-hit-active';

type HitRanges = { ranges: Range[]; active: Range | null };

/** Highlights ranges without changing the DOM text. Returns a function that removes the highlights. */
export function paintHits(viewport: HTMLElement, { ranges, active }: HitRanges): () => void {
  return 'highlights' in CSS ? highlightRanges(ranges, active) : drawBoxes(viewport, ranges, active);
}

function highlightRanges(ranges: Range[], active: Range | null) {
  CSS.highlights.set(HIGHLIGHT_NAME, new Highlight(...ranges));
  if (active) CSS.highlights.set(ACTIVE_HIGHLIGHT_NAME, new Highlight(active));
  return () => {
    CSS.highlights.delete(HIGHLIGHT_NAME);
    CSS.highlights.delete(ACTIVE_HIGHLIGHT_NAME);
  };
}

/** Fallback for browsers without the CSS Highlight API: boxes over the text, redrawn on resize. */
function drawBoxes(viewport: HTMLElement, ranges: Range[], active: Range | null) {
  const layer = document.createElement('div');
  layer.setAttribute('aria-hidden', 'true');
  viewport.append(layer);
  const draw = () => {
    const origin = viewport.getBoundingClientRect();
    const boxes = [...ranges, ...(active ? [active] : [])].flatMap((range) =>
      Array.from(range.getClientRects(), (rect) => {
        const box = document.createElement('i');
        box.className = 'reader-mark';
        if (range === active) box.dataset.mark = 'active';
        Object.assign(box.style, {
          left: `${rect.left - origin.left}px`,
          top: `${rect.top - origin.top}px`,
          width: `${rect.width}px`,
          height: `${rect.height}px`,
        });
        return box;
      }),
    );
    layer.replaceChildren(...boxes);
  };
  const observer = new ResizeObserver(draw);
  observer.observe(viewport);
  return () => {
    observer.disconnect();
    layer.remove();
  };
}
