import { findOccurrences, normalizeWithOffsets } from '#modules/text/match-text.contract.ts';

const blocks = 'p,div,section,article,blockquote,pre,li,dt,dd,td,th,caption,h1,h2,h3,h4,h5,h6,figcaption';

/** Where what is looked for stands in an element, in the order of the text. */
export function textHits(element: Element, needle: string): Range[] {
  if (needle === '') return [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: { node: Text; start: number }[] = [];
  let text = '';
  let block: Element | null = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const within = node.parentElement?.closest(blocks) ?? null;
    // What stands in two paragraphs is not one word.
    if (within !== block && text) text += '\n';
    block = within;
    nodes.push({ node: node as Text, start: text.length });
    text += (node as Text).data;
  }
  const placeOf = (at: number) => {
    const found = nodes.findLast(({ start }) => start <= at);
    return found && { node: found.node, offset: Math.min(at - found.start, found.node.length) };
  };
  return findOccurrences(normalizeWithOffsets(text), needle).flatMap(({ start, end }) => {
    const [from, to] = [placeOf(start), placeOf(end - 1)];
    if (!from || !to) return [];
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, Math.min(to.offset + 1, to.node.length));
    return [range];
  });
}
