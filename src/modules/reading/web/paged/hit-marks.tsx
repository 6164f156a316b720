import { useEffect, useMemo, useRef } from 'react';
import type { ReadingWord } from '../../reading.contract.ts';
import { coveredHeight } from '../covered-height.ts';
import { useFind } from '../find.ts';
import { useReader } from '../reader-store.ts';
import { type Box, hitBoxes } from './hit-boxes.ts';

const MARGIN = 96;

/** What was found on a page, marked. */
export function HitMarks({ page, lines }: { page: number; lines: ReadingWord[][] }) {
  const { needle, active } = useFind();
  const hits = useMemo(() => hitBoxes(lines, needle), [lines, needle]);
  return hits.map(({ start, boxes }, index) =>
    active?.page === page && active.index === index ? (
      <ActiveMark key={start} boxes={boxes} asked={active.asked} />
    ) : (
      <Marks key={start} boxes={boxes} />
    ),
  );
}

const styleOf = ({ x, y, width, height }: Box) => ({
  left: `calc(var(--u) * ${x})`,
  top: `calc(var(--u) * ${y})`,
  width: `calc(var(--u) * ${width})`,
  height: `calc(var(--u) * ${height})`,
});

function Marks({ boxes, isActive = false }: { boxes: Box[]; isActive?: boolean }) {
  return boxes.map((box) => (
    <i key={`${box.x} ${box.y}`} className="reader-mark" data-mark={isActive ? 'active' : ''} style={styleOf(box)} />
  ));
}

/**
 * Brought into view once, when the reader asks for it; not whenever its page comes back. The effect may
 * run late, when the reader has already asked for another hit.
 */
function ActiveMark({ boxes, asked }: { boxes: Box[]; asked: number }) {
  const { store } = useReader();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    const latest = store.getState();
    if (!latest.isHitWanted || latest.asked !== asked || !place.current) return;
    store.setState({ isHitWanted: false });
    const { top, bottom, left, right } = place.current.getBoundingClientRect();
    const isSeen =
      top > coveredHeight() && bottom < window.innerHeight - MARGIN && left > 0 && right < window.innerWidth;
    if (!isSeen) place.current.scrollIntoView({ block: 'center', inline: 'nearest' });
  });
  const [first] = boxes;
  return (
    <>
      {first ? <span ref={place} className="pointer-events-none absolute" style={styleOf(first)} /> : null}
      <Marks boxes={boxes} isActive />
    </>
  );
}
