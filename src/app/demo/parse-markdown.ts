export type DemoBlock =
  | { kind: 'heading' | 'text' | 'item' | 'quote'; text: string }
  | { kind: 'table'; rows: string[][] };
export type DemoSection = { title: string; blocks: DemoBlock[] };

const prefixes = { '## ': 'heading', '- ': 'item', '> ': 'quote' } as const;
const SEPARATOR_ROW = /^\|[\s:|-]+\|$/;

/** Parses the subset of Markdown that the demo documents use: `##`, `-`, `>`, tables, one paragraph per line. */
export function parseMarkdown(source: string): DemoBlock[] {
  const blocks: DemoBlock[] = [];
  for (const line of source.split('\n').map((each) => each.trim())) {
    if (line === '' || SEPARATOR_ROW.test(line)) continue;
    if (line.startsWith('|')) addTableRow(blocks, line);
    else blocks.push(parseLine(line));
  }
  return blocks;
}

function parseLine(line: string): DemoBlock {
  for (const [prefix, kind] of Object.entries(prefixes))
    if (line.startsWith(prefix)) return { kind, text: line.slice(prefix.length) };
  return { kind: 'text', text: line };
}

function addTableRow(blocks: DemoBlock[], line: string): void {
  const cells = line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
  const last = blocks.at(-1);
  if (last?.kind === 'table') last.rows.push(cells);
  else blocks.push({ kind: 'table', rows: [cells] });
}

/** Groups the blocks by heading. Blocks before the first heading are left out. */
export function parseSections(source: string): DemoSection[] {
  const sections: DemoSection[] = [];
  for (const block of parseMarkdown(source))
    if (block.kind === 'heading') sections.push({ title: block.text, blocks: [] });
    else sections.at(-1)?.blocks.push(block);
  return sections;
}
