import { writeZip } from '#platform/server/storage/zip-writer.ts';
import type { DemoCell, DemoSheet } from '../demo-document.ts';
import { escapeXml } from '../markup.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const TYPE = 'application/vnd.oasis.opendocument.spreadsheet';
const SPACE = 'urn:oasis:names:tc:opendocument:xmlns';

/** Tables as an OpenDocument workbook. */
export function writeOds(sheets: DemoSheet[]): Buffer {
  const tables = sheets.map(
    ({ name, rows }) =>
      `<table:table table:name="${escapeXml(name)}">${rows.map((row) => `<table:table-row>${row.map(cellXml).join('')}</table:table-row>`).join('')}</table:table>`,
  );
  const names = ['office', 'table', 'text'].map((name) => `xmlns:${name}="${SPACE}:${name}:1.0"`);
  const entry = (path: string, type: string) =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  return writeZip([
    { name: 'mimetype', body: TYPE, isStored: true },
    {
      name: 'META-INF/manifest.xml',
      body: `${HEAD}<manifest:manifest xmlns:manifest="${SPACE}:manifest:1.0" manifest:version="1.2">${entry('/', TYPE)}${entry('content.xml', 'text/xml')}${entry('styles.xml', 'text/xml')}</manifest:manifest>`,
    },
    {
      name: 'styles.xml',
      body: `${HEAD}<office:document-styles ${names.join(' ')} office:version="1.2"/>`,
    },
    {
      name: 'content.xml',
      body: `${HEAD}<office:document-content ${names.join(' ')} office:version="1.2"><office:body><office:spreadsheet>${tables.join('')}</office:spreadsheet></office:body></office:document-content>`,
    },
  ]);
}

function cellXml(cell: DemoCell): string {
  const kind =
    typeof cell === 'number' ? `office:value-type="float" office:value="${cell}"` : 'office:value-type="string"';
  return `<table:table-cell ${kind}><text:p>${escapeXml(String(cell))}</text:p></table:table-cell>`;
}
