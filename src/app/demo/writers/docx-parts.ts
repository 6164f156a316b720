import type { ZipMember } from '#platform/server/storage/zip-writer.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

type Parts = { body: string; dark: string; hasTitlePage: boolean };

/** Everything of a Word document around its text. */
export function docxParts({ body, dark, hasTitlePage }: Parts): ZipMember[] {
  const names = [
    `xmlns:w="${WORD}" xmlns:r="${OFFICE}"`,
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  ].join(' ');
  const page = `<w:sectPr><w:footerReference w:type="default" r:id="r2"/><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1474" w:right="1474" w:bottom="1361" w:left="1474" w:header="720" w:footer="720" w:gutter="0"/>${hasTitlePage ? '<w:titlePg/>' : ''}</w:sectPr>`;
  return [
    {
      name: '[Content_Types].xml',
      body: `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${TYPE}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/word/footer1.xml" ContentType="${TYPE}.footer+xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      body: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/_rels/document.xml.rels',
      body: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/styles" Target="styles.xml"/><Relationship Id="r2" Type="${OFFICE}/footer" Target="footer1.xml"/></Relationships>`,
    },
    {
      name: 'word/document.xml',
      body: `${HEAD}<w:document ${names}><w:body>${body}${page}</w:body></w:document>`,
    },
    { name: 'word/styles.xml', body: styles(dark) },
    {
      name: 'word/footer1.xml',
      body: `${HEAD}<w:ftr xmlns:w="${WORD}"><w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:rPr><w:color w:val="8A8A8A"/><w:sz w:val="18"/></w:rPr><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p></w:ftr>`,
    },
  ];
}

function styles(dark: string): string {
  const fonts = (name: string) => `<w:rFonts w:ascii="${name}" w:hAnsi="${name}" w:eastAsia="${name}"/>`;
  const style = (id: string, paragraph: string, letters: string, name = id) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:pPr>${paragraph}</w:pPr><w:rPr>${letters}</w:rPr></w:style>`;
  return [
    `${HEAD}<w:styles xmlns:w="${WORD}"><w:docDefaults><w:rPrDefault><w:rPr>${fonts('Noto Serif CJK SC')}<w:sz w:val="23"/><w:lang w:val="zh-CN" w:eastAsia="zh-CN"/></w:rPr></w:rPrDefault></w:docDefaults>`,
    '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>',
    style(
      'Heading1',
      '<w:keepNext/><w:spacing w:before="360" w:after="180"/><w:outlineLvl w:val="0"/>',
      `${fonts('Noto Sans CJK SC')}<w:b/><w:color w:val="${dark}"/><w:sz w:val="34"/>`,
      'heading 1',
    ),
    style(
      'Body',
      '<w:spacing w:before="0" w:after="140" w:line="400" w:lineRule="auto"/><w:ind w:firstLine="460"/><w:jc w:val="both"/>',
      '',
    ),
    style(
      'Item',
      '<w:spacing w:before="0" w:after="80" w:line="380" w:lineRule="auto"/><w:ind w:left="460" w:hanging="460"/>',
      '',
    ),
    style(
      'Quote',
      `<w:pBdr><w:left w:val="single" w:sz="24" w:space="12" w:color="${dark}"/></w:pBdr><w:spacing w:before="160" w:after="200" w:line="400" w:lineRule="auto"/><w:ind w:left="460" w:right="460"/>`,
      `<w:color w:val="${dark}"/><w:sz w:val="24"/>`,
    ),
    '</w:styles>',
  ].join('');
}
