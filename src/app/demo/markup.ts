export type DemoBlock =
  | { kind: 'heading' | 'text' | 'item' | 'quote'; text: string }
  | { kind: 'table'; rows: string[][] };
export type DemoSection = { title: string; blocks: DemoBlock[] };

const signs = { '# ': 'heading', '- ': 'item', '> ': 'quote' } as const;

/** Reads the small markup of the demo texts: `#` headings, `-` items, `>` quotes, `|` rows, lines. */
export function parseMarkup(source: string): DemoBlock[] {
  const blocks: DemoBlock[] = [];
  for (const line of source.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    if (line.startsWith('| ')) addRow(blocks, line);
    else {
      const kind = signs[line.slice(0, 2) as keyof typeof signs];
      blocks.push({ kind: kind ?? 'text', text: kind ? line.slice(2) : line });
    }
  }
  return blocks;
}

function addRow(blocks: DemoBlock[], line: string) {
  const cells = line
    .slice(2)
    .split('|')
    .map((cell) => cell.trim());
  const last = blocks.at(-1);
  if (last?.kind === 'table') last.rows.push(cells);
  else blocks.push({ kind: 'table', rows: [cells] });
}

/** What stands under each heading; what stands before the first is left out. */
export function sectionsOf(source: string): DemoSection[] {
  const sections: DemoSection[] = [];
  for (const block of parseMarkup(source))
    if (block.kind === 'heading') sections.push({ title: block.text, blocks: [] });
    else sections.at(-1)?.blocks.push(block);
  return sections;
}

/** Lines of a table: cells between bars. */
export const tableOf = (source: string): string[][] =>
  parseMarkup(source).flatMap((block) => (block.kind === 'table' ? block.rows : []));

export const escapeXml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
