import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { docxParts } from './document-files.fixture.ts';

const WORD_NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const changeAttributes = 'w:id="1" w:author="A" w:date="2024-01-01T00:00:00Z"';

const docxParagraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const docxCell = (content: string, mark = '') => `<w:tc><w:tcPr>${mark}</w:tcPr>${content}</w:tc>`;
const docxRow = (cells: string, mark = '') => `<w:tr><w:trPr>${mark}</w:trPr>${cells}</w:tr>`;
const docxTable = (rows: string) =>
  `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="3000"/><w:gridCol w:w="3000"/></w:tblGrid>${rows}</w:tbl>`;

const deletedMark = `<w:del ${changeAttributes}/>`;
const body = [
  docxParagraph('Before.'),
  docxTable(
    docxRow(docxCell(docxParagraph('First')) + docxCell(docxParagraph('row'))) +
      docxRow(docxCell(docxParagraph('DELETED')) + docxCell(docxParagraph('ROW')), deletedMark) +
      docxRow(docxCell(docxParagraph('Inserted')) + docxCell(docxParagraph('row')), `<w:ins ${changeAttributes}/>`) +
      docxRow(
        docxCell(docxParagraph('Last')) + docxCell(docxParagraph('DELETED CELL'), `<w:cellDel ${changeAttributes}/>`),
      ),
  ),
  docxParagraph('Between.'),
  docxTable(
    docxRow(
      docxCell(
        docxTable(docxRow(docxCell(docxParagraph('DELETED')) + docxCell(docxParagraph('INNER')), deletedMark)) +
          docxParagraph('DELETED OUTER'),
      ),
      deletedMark,
    ),
  ),
  docxParagraph('After.'),
].join('');

type DocxMarkup = {
  prefix: string;
  encoding: 'utf8' | 'utf16le';
  /** Number of blanks before the first element; then there is no XML declaration. */
  blanks?: number;
};

/** Builds a Word document with table rows and cells that only a mark of the row or cell deletes. */
export function docxWithDeletedRows({ prefix, encoding, blanks = 0 }: DocxMarkup): Buffer {
  const declaration = `xmlns${prefix ? `:${prefix.slice(0, -1)}` : ''}="${WORD_NAMESPACE}"`;
  return writeZip(
    docxParts(body).map((part) => {
      if (part.name !== 'word/document.xml') return part;
      const markup = String(part.body)
        .replace('<w:document', prefix === 'w:' ? '$&' : `$& ${declaration}`)
        .replace(/(<\/?)w:/g, `$1${prefix}`);
      const xml = blanks > 0 ? ' '.repeat(blanks) + markup.replace(/^<\?xml[^>]*\?>\s*/, '') : markup;
      if (encoding === 'utf8') return { ...part, body: xml };
      const wideXml = `\ufeff${xml.replace('encoding="UTF-8"', 'encoding="UTF-16"')}`;
      return { ...part, body: Buffer.from(wideXml, 'utf16le') };
    }),
  );
}
