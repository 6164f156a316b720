const NAME = 'reader-hit';
const ACTIVE = 'reader-hit-active';

type Painted = { ranges: Range[]; active: Range | null };

/** Marks ranges of text; returns how to take the marks away. The text itself stays as it is. */
export function paintHits(desk: HTMLElement, { ranges, active }: Painted): () => void {
  return 'highlights' in CSS ? highlight(ranges, active) : lay(desk, ranges, active);
}

function highlight(ranges: Range[], active: Range | null) {
  CSS.highlights.set(NAME, new Highlight(...ranges));
  if (active) CSS.highlights.set(ACTIVE, new Highlight(active));
  return () => {
    CSS.highlights.delete(NAME);
    CSS.highlights.delete(ACTIVE);
  };
}

/** For browsers that cannot: boxes over the text, laid anew when it is set otherwise. */
function lay(desk: HTMLElement, ranges: Range[], active: Range | null) {
  const layer = document.createElement('div');
  layer.setAttribute('aria-hidden', 'true');
  desk.append(layer);
  const draw = () => {
    const origin = desk.getBoundingClientRect();
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
  observer.observe(desk);
  return () => {
    observer.disconnect();
    layer.remove();
  };
}
