import XLSX from '@e965/xlsx';

/** Bytes of "中文" and "姓名" in GBK, which Node can only decode. */
const gbkBytes: Record<string, string> = {
  中文: '\xd6\xd0\xce\xc4',
  姓名: '\xd0\xd5\xc3\xfb',
};

/** Encodes these words as GBK and other text as Latin-1. */
export const toGbk = (text: string): Buffer =>
  Buffer.from(
    text.replace(/中文|姓名/g, (word) => gbkBytes[word] ?? ''),
    'latin1',
  );

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

export const webPage = (body: string, head = ''): string =>
  `<html><head><title>T</title>${head}</head><body>${body}</body></html>`;

/** Builds a web archive (MHTML) of these pages and an image with the URL cid:pixel. */
export const webArchive = (pages: { location: string; html: string }[]): Buffer =>
  Buffer.from(
    [
      'MIME-Version: 1.0',
      'Content-Type: multipart/related; boundary="----=_Next"',
      '',
      ...pages.flatMap(({ location, html }) => [
        '------=_Next',
        `Content-Location: ${location}`,
        'Content-Transfer-Encoding: base64',
        'Content-Type: text/html; charset="utf-8"',
        '',
        Buffer.from(html).toString('base64'),
        '',
      ]),
      '------=_Next',
      'Content-ID: <pixel>',
      'Content-Transfer-Encoding: base64',
      'Content-Type: image/png',
      '',
      PIXEL,
      '',
      '------=_Next--',
    ].join('\r\n'),
  );

const excelNamespaces =
  'xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel"';
const spreadsheetMlCell = (text: string) => `<Cell><Data ss:Type="String">${text}</Data></Cell>`;

/** Builds a workbook in the XML of Excel 2003 with a hidden row, column and sheet. */
export const spreadsheetMl = (encoding = 'UTF-8', text = '姓名'): string =>
  `<?xml version="1.0" encoding="${encoding}"?><?mso-application progid="Excel.Sheet"?><Workbook ${excelNamespaces}><Worksheet ss:Name="${text}"><Table><Column/><Column ss:Hidden="1"/><Column/><Row>${spreadsheetMlCell(text)}${spreadsheetMlCell('HIDDEN COLUMN')}${spreadsheetMlCell('score')}</Row><Row ss:Hidden="1">${spreadsheetMlCell('HIDDEN ROW')}</Row><Row>${spreadsheetMlCell('Li')}${spreadsheetMlCell('HIDDEN COLUMN')}<Cell><Data ss:Type="Number">98.5</Data></Cell></Row></Table></Worksheet><Worksheet ss:Name="secret"><Table><Row>${spreadsheetMlCell('HIDDEN SHEET')}</Row></Table><WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet></Workbook>`;

export const wordMl = (text: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><?mso-application progid="Word.Document"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xml:space="preserve"><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:wordDocument>`;

const oasisNamespaces = ['office', 'text', 'table', 'style']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

/** Builds a flat OpenDocument file; `kind` is the last part of its media type. */
export const flatOpenDocument = (kind: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document ${oasisNamespaces} xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document>`;

export const flatOpcPart = (name: string, type: string, xml: string): string =>
  `<pkg:part pkg:name="${name}" pkg:contentType="${type}"><pkg:xmlData>${xml}</pkg:xmlData></pkg:part>`;

/** Builds a Word document in flat OPC, which Word saves as "XML document". */
export const flatOpc = (parts: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<?mso-application progid="Word.Document"?>\r\n<pkg:package xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">${parts}</pkg:package>`;

const docxPartContentType = (name: string) => {
  if (name.endsWith('.rels')) return 'application/vnd.openxmlformats-package.relationships+xml';
  if (name === 'word/document.xml')
    return 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return `application/vnd.openxmlformats-officedocument.wordprocessingml.${name.replace(/^word\/|\.xml$/g, '')}+xml`;
};

type ZipContainer = { FullPaths: string[]; FileIndex: { content: Uint8Array | undefined }[] };

/** Builds the flat OPC form of a docx file that has only XML parts. */
export function docxToFlatOpc(docx: Buffer): string {
  const container: ZipContainer = XLSX.CFB.read(docx, { type: 'buffer' });
  const { FullPaths, FileIndex } = container;
  const parts = FullPaths.flatMap((fullPath, index) => {
    const name = fullPath.replace(/^Root Entry\//, '');
    const xml = Buffer.from(FileIndex[index]?.content ?? '').toString('utf8');
    if (!xml.startsWith('<') || name === '[Content_Types].xml') return [];
    return [flatOpcPart(`/${name}`, docxPartContentType(name), xml.replace(/^<\?xml[^>]*\?>/, ''))];
  });
  return flatOpc(parts.join(''));
}
