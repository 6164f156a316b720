import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';

const blockSelector = 'p,div,section,article,blockquote,pre,li,dt,dd,td,th,caption,h1,h2,h3,h4,h5,h6,figcaption';

/** Ranges of all hits in an element, in text order. */
export function findHitRanges(element: Element, needle: string): Range[] {
  if (needle === '') return [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  let block: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parentBlock = node.parentElement?.closest(blockSelector) ?? null;
    // A hit must not span two paragraphs.
    if (parentBlock !== block && text) text += '\n';
    block = parentBlock;
    nodes.push({ node: node as Text, start: text.length });
    text += (node as Text).data;
  }
  const positionOf = (at: number) => {
    const entry = nodes.findLast(({ start }) => start <= at);
    return entry && { node: entry.node, offset: Math.min(at - entry.start, entry.node.length) };
  };
  return findOccurrences(normalizeWithOffsets(text), needle).flatMap(({ start, end }) => {
    const [from, to] = [positionOf(start), positionOf(end - 1)];
    if (!from || !to) return [];
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, Math.min(to.offset + 1, to.node.length));
    return [range];
  });
}
