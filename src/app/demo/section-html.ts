import { escapeXml } from '#platform/contract/xml.ts';
import type { DemoBlock, DemoSection } from './parse-markdown.ts';

export const sectionHtml = ({ title, blocks }: DemoSection): string =>
  [`<h1>${escapeXml(title)}</h1>`, ...blocks.map(blockHtml)].join('\n');

function blockHtml(block: DemoBlock): string {
  if (block.kind === 'table') {
    const row = (cells: string[]) => `<tr>${cells.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`;
    return `<table>${block.rows.map(row).join('')}</table>`;
  }
  const text = escapeXml(block.text);
  if (block.kind === 'quote') return `<blockquote><p>${text}</p></blockquote>`;
  if (block.kind === 'item') return `<ul><li>${text}</li></ul>`;
  return `<p>${text}</p>`;
}
