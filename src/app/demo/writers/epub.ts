import sharp from 'sharp';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import type { Content } from '../demo-document.ts';
import { type DemoBlock, escapeXml, sectionsOf } from '../markup.ts';
import { coverSvg } from './cover.ts';

type Book = Extract<Content, { kind: 'book' }>;

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>';
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"';

/** A book with a cover, chapters and a contents list. */
export async function writeEpub({ cover, body }: Book): Promise<Buffer> {
  const title = escapeXml(cover.lines.join(''));
  const sections = sectionsOf(body);
  const picture = await sharp(Buffer.from(coverSvg(cover)))
    .jpeg({ quality: 88 })
    .toBuffer();
  const page = (heading: string, inner: string) =>
    `${HEAD}<html ${XHTML}><head><title>${heading}</title></head><body>${inner}</body></html>`;
  const items = sections.map(
    (_, index) => `<item id="c${index}" href="c${index}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const links = sections.map(({ title }, index) => `<li><a href="c${index}.xhtml">${escapeXml(title)}</a></li>`);
  return writeZip([
    { name: 'mimetype', body: 'application/epub+zip', isStored: true },
    {
      name: 'META-INF/container.xml',
      body: `${HEAD}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    {
      name: 'OPS/book.opf',
      body: `${HEAD}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">douku-demo-${title}</dc:identifier><dc:title>${title}</dc:title><dc:creator>${escapeXml(cover.author)}</dc:creator><dc:language>zh-CN</dc:language><meta name="cover" content="cover"/></metadata><manifest><item id="cover" href="cover.jpg" media-type="image/jpeg" properties="cover-image"/><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${items.join('')}</manifest><spine>${sections.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
    },
    { name: 'OPS/cover.jpg', body: picture, isStored: true },
    {
      name: 'OPS/nav.xhtml',
      body: page('目录', `<nav epub:type="toc"><h1>目录</h1><ol>${links.join('')}</ol></nav>`),
    },
    ...sections.map(({ title, blocks }, index) => ({
      name: `OPS/c${index}.xhtml`,
      body: page(escapeXml(title), `<h1>${escapeXml(title)}</h1>${blocksHtml(blocks)}`),
    })),
  ]);
}

/** Blocks as HTML, for books and help pages. */
export const blocksHtml = (blocks: DemoBlock[]): string => blocks.map(blockHtml).join('\n');

function blockHtml(block: DemoBlock): string {
  if (block.kind === 'table') {
    const row = (cells: string[], name: 'th' | 'td') =>
      `<tr>${cells.map((cell) => `<${name}>${escapeXml(cell)}</${name}>`).join('')}</tr>`;
    return `<table>${block.rows.map((cells, index) => row(cells, index === 0 ? 'th' : 'td')).join('')}</table>`;
  }
  const text = escapeXml(block.text);
  if (block.kind === 'quote') return `<blockquote><p>${text}</p></blockquote>`;
  if (block.kind === 'item') return `<ul><li>${text}</li></ul>`;
  return `<p>${text}</p>`;
}
