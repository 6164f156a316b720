import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';

/** Builders of small valid and invalid documents. */

type PdfOptions = {
  pages?: number;
  width?: number;
  height?: number;
  text?: (page: number) => string;
  extra?: string;
  /** Bookmarks; one without a page has no target. */
  outline?: { title: string; page?: number }[];
};

/** Builds a PDF with a line of Latin text on each page. */
export function makePdf({
  pages = 1,
  width = 595,
  height = 842,
  text = (page) => `Page ${page}`,
  extra = '',
  outline = [],
}: PdfOptions = {}): Buffer {
  const objects: string[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const kids: string[] = [];
  for (let page = 1; page <= pages; page++) {
    const stream = `BT /F1 24 Tf 60 ${Math.min(height - 80, 760)} Td (${text(page)}) Tj ET`;
    const content = objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    kids.push(
      `${objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`)} 0 R`,
    );
  }
  objects[1] = `<< /Type /Pages /Count ${pages} /Kids [${kids.join(' ')}] >>`;
  if (outline.length > 0) {
    const first = objects.length + 2;
    const last = first + outline.length - 1;
    const root = `${first - 1} 0 R`;
    objects[0] = `<< /Type /Catalog /Pages 2 0 R /Outlines ${root} >>`;
    objects.push(`<< /Type /Outlines /First ${first} 0 R /Last ${last} 0 R >>`);
    for (const [at, { title, page }] of outline.entries()) {
      const next = first + at < last ? `/Next ${first + at + 1} 0 R` : '';
      const target = page ? `/Dest [${kids[page - 1]} /Fit]` : '';
      objects.push(`<< /Title (${title}) /Parent ${root} ${next} ${target} >>`);
    }
  }
  return assemblePdf(objects, extra);
}

export function assemblePdf(objects: string[], trailer = ''): Buffer {
  let body = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = body.length;
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
}

/** Builds a PDF whose password is not empty. */
export const encryptedPdf = (): Buffer => {
  const key = 'ab'.repeat(32);
  return makePdf({
    extra: `/ID [<${'01'.repeat(16)}> <${'01'.repeat(16)}>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -44 >>`,
  });
};

export function rc4(key: Buffer, bytes: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, at) => at);
  const swap = (a: number, b: number) => {
    [state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return bytes.map((byte) => {
    i = (i + 1) & 255;
    j = (j + (state[i] ?? 0)) & 255;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
  }) as Buffer;
}

/** Builds a PDF that opens without a password and has these permission bits; ISO 32000-1, 7.6.3. */
export function restrictedPdf(permissions: number): Buffer {
  const pad = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
  const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest().subarray(0, 5);
  const id = Buffer.alloc(16, 1);
  const permissionBytes = Buffer.alloc(4);
  permissionBytes.writeInt32LE(permissions);
  const owner = rc4(md5(Buffer.from('owner'), pad.subarray(0, 27)), pad);
  const user = rc4(md5(pad, owner, permissionBytes, id), pad);
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  return makePdf({
    extra: `/ID [${hex(id)} ${hex(id)}] /Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(user)} /P ${permissions} >>`,
  });
}

/** Builds a page whose drawing commands unpack to this size. */
export function heavyPdf(megabytes: number): Buffer {
  const line = '0 0 m 600 800 l S 600 0 m 0 800 l S\n';
  const compressedCommands = deflateSync(Buffer.from(line.repeat((megabytes * 1024 * 1024) / line.length)), {
    level: 9,
  });
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    `<< /Length ${compressedCommands.length} /Filter /FlateDecode >>\nstream\n${compressedCommands.toString('latin1')}\nendstream`,
  ];
  return assemblePdf(objects);
}

const escapeXml = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const docxParts = (body: string, relations = ''): ZipMember[] => [
  {
    name: '[Content_Types].xml',
    body: '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/comments.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"/></Types>',
  },
  {
    name: '_rels/.rels',
    body: '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
  },
  {
    name: 'word/_rels/document.xml.rels',
    body: `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations}</Relationships>`,
  },
  {
    name: 'word/document.xml',
    body: `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><w:body>${body}</w:body></w:document>`,
  },
];

export const makeDocx = (...paragraphs: string[]): Buffer =>
  writeZip(docxParts(paragraphs.map((text) => `<w:p><w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>`).join('')));

type StyledText = {
  text: string;
  ascii: string;
  eastAsia: string;
  language: string;
  hint?: string;
};

/** Builds a Word document whose paragraphs have explicit fonts and languages. */
export const makeStyledDocx = (paragraphs: StyledText[]): Buffer =>
  writeZip(
    docxParts(
      paragraphs
        .map(({ text, ascii, eastAsia, language, hint }) => {
          const fonts = `<w:rFonts w:ascii="${ascii}" w:hAnsi="${ascii}" w:eastAsia="${eastAsia}"${hint ? ` w:hint="${hint}"` : ''}/>`;
          return `<w:p><w:r><w:rPr>${fonts}<w:lang w:val="${language}" w:eastAsia="${language}"/></w:rPr><w:t>${escapeXml(text)}</w:t></w:r></w:p>`;
        })
        .join(''),
    ),
  );

const IMAGE_TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/image';
/** `imageReference`: whether the image is embedded or external. */
const pictureParagraph = (imageReference: 'embed' | 'link') =>
  `<w:p><w:r><w:drawing><wp:inline><wp:extent cx="2000000" cy="2000000"/><wp:docPr id="1" name="p"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:${imageReference}="rp"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"/></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

/** Builds a Word document with an external image. */
export const docxWithLinkedPicture = (target: string): Buffer =>
  writeZip(
    docxParts(
      `<w:p><w:r><w:t>before</w:t></w:r></w:p>${pictureParagraph('link')}`,
      `<Relationship Id="rp" Type="${IMAGE_TYPE}" Target="${target}" TargetMode="External"/>`,
    ),
  );

/** Builds a Word document with this PNG as an uncompressed member. */
export const docxWithPicture = (png: Buffer, text: string): Buffer =>
  writeZip([
    ...docxParts(
      `<w:p><w:r><w:t>${escapeXml(text)}</w:t></w:r></w:p>${pictureParagraph('embed')}`,
      `<Relationship Id="rp" Type="${IMAGE_TYPE}" Target="media/picture.png"/>`,
    ),
    { name: 'word/media/picture.png', body: png, isStored: true },
  ]);

/** Builds a ZIP bomb that unpacks to this size. */
export const docxBomb = (megabytes: number): Buffer =>
  writeZip([...docxParts('<w:p/>'), { name: 'word/media/zeros.bin', body: Buffer.alloc(megabytes * 1024 * 1024) }]);

/** `brokenTitles`: titles in the table of contents whose target file is missing. */
export const makeEpub = (
  chapters: { title: string; html: string }[],
  extra: ZipMember[] = [],
  brokenTitles: string[] = [],
): Buffer =>
  writeZip([
    { name: 'mimetype', body: 'application/epub+zip', isStored: true },
    {
      name: 'META-INF/container.xml',
      body: '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    },
    {
      name: 'OPS/book.opf',
      body: `<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>测试之书</dc:title><dc:creator>豆库</dc:creator></metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${chapters.map((_, index) => `<item id="c${index}" href="c${index}.xhtml" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${chapters.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    },
    {
      name: 'OPS/nav.xhtml',
      body: `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol>${chapters.map(({ title }, index) => `<li><a href="c${index}.xhtml">${title}</a></li>`).join('')}${brokenTitles.map((title) => `<li><a href="lost.xhtml">${title}</a></li>`).join('')}</ol></nav></body></html>`,
    },
    ...chapters.map(({ html }, index) => ({
      name: `OPS/c${index}.xhtml`,
      body: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${html}</body></html>`,
    })),
    ...extra,
  ]);

const changeAuthor = 'w:author="A" w:date="2024-01-01T00:00:00Z"';
const docxRun = (words: string, properties = '') => `<w:r>${properties}<w:t xml:space="preserve">${words}</w:t></w:r>`;
const deletedRun = (words: string) => `<w:r><w:delText>${words}</w:delText></w:r>`;

/** Builds a Word document with tracked changes, a comment and hidden text. */
export const docxWithHiddenParts = (): Buffer => {
  const comments = `<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment w:id="0" ${changeAuthor} w:initials="A"><w:p>${docxRun('COMMENT')}</w:p></w:comment></w:comments>`;
  const body = [
    `<w:p>${docxRun('Start ')}<w:ins w:id="1" ${changeAuthor}>${docxRun('inserted')}</w:ins><w:del w:id="2" ${changeAuthor}>${deletedRun('DELETED')}</w:del>${docxRun(' end.')}</w:p>`,
    `<w:p>${docxRun('VANISHED', '<w:rPr><w:vanish/></w:rPr>')}${docxRun('After hidden text.')}</w:p>`,
    `<w:p><w:commentRangeStart w:id="0"/>${docxRun('Commented text.')}<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>`,
    `<w:p><w:pPr><w:rPr><w:del w:id="3" ${changeAuthor}/></w:rPr></w:pPr><w:del w:id="4" ${changeAuthor}>${deletedRun('DELETED PARAGRAPH')}</w:del></w:p>`,
    `<w:p><w:moveFrom w:id="5" ${changeAuthor}>${docxRun('MOVED')}</w:moveFrom></w:p>`,
    `<w:p>${docxRun('Last line.')}</w:p>`,
  ];
  const relation =
    '<Relationship Id="rc" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments" Target="comments.xml"/>';
  return writeZip([...docxParts(body.join(''), relation), { name: 'word/comments.xml', body: comments }]);
};

/** Builds three slides as flat OpenDocument, each with a comment and speaker notes; `hiddenSlides` are their numbers. */
export const slidesWithHiddenParts = (hiddenSlides: number[]): string => {
  const frame = (words: string, attributes = '') =>
    `<draw:frame ${attributes} svg:width="10cm" svg:height="3cm" svg:x="2cm" svg:y="2cm"><draw:text-box><text:p>${words}</text:p></draw:text-box></draw:frame>`;
  const slides = [1, 2, 3].map(
    (slide) =>
      `<draw:page draw:name="s${slide}" ${hiddenSlides.includes(slide) ? 'draw:style-name="hidden"' : ''}><office:annotation svg:x="1cm" svg:y="1cm"><dc:creator>A</dc:creator><text:p>COMMENT</text:p></office:annotation>${frame(`Slide ${slide}`)}<presentation:notes>${frame('NOTE', 'presentation:class="notes"')}</presentation:notes></draw:page>`,
  );
  const oasis = ['office', 'text', 'style', 'presentation']
    .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ');
  return `<?xml version="1.0" encoding="UTF-8"?><office:document ${oasis} xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:automatic-styles><style:style style:name="hidden" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style></office:automatic-styles><office:body><office:presentation>${slides.join('')}</office:presentation></office:body></office:document>`;
};
