import { useEffect, useMemo, useRef } from 'react';
import type { ReadingWord } from '../../reading.contract.ts';
import { fixedBarsHeight } from '../fixed-bars-height.ts';
import { useReader } from '../reader-store.ts';
import { useFindState } from '../use-find-in-document.ts';
import { type Box, hitBoxes } from './hit-boxes.ts';

const BOTTOM_MARGIN_PX = 96;

export function HitMarks({ page, lines }: { page: number; lines: ReadingWord[][] }) {
  const { needle, active } = useFindState();
  const hits = useMemo(() => hitBoxes(lines, needle), [lines, needle]);
  return hits.map(({ start, boxes }, index) =>
    active?.page === page && active.index === index ? (
      <ActiveMark key={start} boxes={boxes} hitRequest={active.hitRequest} />
    ) : (
      <HitBoxMarks key={start} boxes={boxes} />
    ),
  );
}

const boxStyle = ({ x, y, width, height }: Box) => ({
  left: `calc(var(--u) * ${x})`,
  top: `calc(var(--u) * ${y})`,
  width: `calc(var(--u) * ${width})`,
  height: `calc(var(--u) * ${height})`,
});

function HitBoxMarks({ boxes, isActive = false }: { boxes: Box[]; isActive?: boolean }) {
  return boxes.map((box) => (
    <i key={`${box.x} ${box.y}`} className="reader-mark" data-mark={isActive ? 'active' : ''} style={boxStyle(box)} />
  ));
}

/**
 * Scrolls into view once per request, not whenever its page is rendered again. The effect may run late, after the
 * reader has requested another hit.
 */
function ActiveMark({ boxes, hitRequest }: { boxes: Box[]; hitRequest: number }) {
  const { store } = useReader();
  const markRef = useRef<HTMLElement>(null);
  useEffect(() => {
    const latest = store.getState();
    if (!latest.hit?.isScrollPending || latest.hitRequest !== hitRequest || !markRef.current) return;
    store.dispatch({ type: 'hitScrolledIntoView' });
    const { top, bottom, left, right } = markRef.current.getBoundingClientRect();
    const isVisible =
      top > fixedBarsHeight() &&
      bottom < window.innerHeight - BOTTOM_MARGIN_PX &&
      left > 0 &&
      right < window.innerWidth;
    if (!isVisible) markRef.current.scrollIntoView({ block: 'center', inline: 'nearest' });
  });
  const [first] = boxes;
  return (
    <>
      {first ? <span ref={markRef} className="pointer-events-none absolute" style={boxStyle(first)} /> : null}
      <HitBoxMarks boxes={boxes} isActive />
    </>
  );
}
