import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import sanitizeHtml from 'sanitize-html';
import { allowedAttributes, allowedTags } from './allowed-html.ts';
import type { Block } from './flow-writer.ts';

type Tag = sanitizeHtml.Tag;
type Node = ReturnType<typeof parseDocument>['children'][number];

const LARGE_BLOCK_LENGTH = 1_500;
const MAX_DEPTH = 40;
const blockNames = new Set(
  'p div section article main header footer aside blockquote pre ul ol li dl dt dd table h1 h2 h3 h4 h5 h6 hr figure'.split(
    ' ',
  ),
);

/** These elements separate words even without a space between the tags. */
const wordSeparators = new Set([
  ...blockNames,
  ...['br', 'caption', 'td', 'tfoot', 'th', 'thead', 'tbody', 'tr', 'figcaption'],
]);

/** Rewrites the links and image sources of a book; null removes them. */
export type ReferenceRewriter = {
  link(href: string): string | null;
  /** Returns the name of the stored image. */
  picture(source: string): string | null;
};

const sanitizeOptions: sanitizeHtml.IOptions = {
  allowedTags,
  allowedAttributes: { ...allowedAttributes, '*': ['id'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'object', 'head'],
};

/** Sanitizes a page of a book and splits it into blocks. */
export function splitHtmlIntoBlocks(html: string, rewrite: ReferenceRewriter): Block[] {
  const safeHtml = sanitizeHtml(html, {
    ...sanitizeOptions,
    transformTags: {
      a: (tagName, { href, id }): Tag => {
        const target = href === undefined ? null : rewrite.link(href);
        return {
          tagName,
          attribs: { ...(id && { id }), ...(target && { href: target }) },
        };
      },
      img: (tagName, { src = '', alt = '' }): Tag => {
        const name = rewrite.picture(src);
        return name ? { tagName, attribs: { src: name, alt } } : { tagName: 'span', attribs: {}, text: alt };
      },
      // An SVG drawing in a book usually wraps one image.
      image: (_, attribs): Tag => {
        const name = rewrite.picture(attribs['xlink:href'] ?? attribs.href ?? '');
        return name ? { tagName: 'img', attribs: { src: name, alt: '' } } : { tagName: 'span', attribs: {} };
      },
    },
  });
  return splitBlocks(parseDocument(safeHtml).children, 0);
}

function splitBlocks(nodes: Node[], depth: number): Block[] {
  const blocks: Block[] = [];
  let inline: Node[] = [];
  const flush = () => {
    const block = inline.length > 0 && createBlock(inline, 'p');
    if (block) blocks.push(block);
    inline = [];
  };
  for (const node of nodes) {
    const isBlock = node.type === ElementType.Tag && blockNames.has(node.name);
    if (!isBlock) {
      inline.push(node);
      continue;
    }
    flush();
    const isLarge = DomUtils.textContent(node).length > LARGE_BLOCK_LENGTH;
    const hasInnerElements = isLarge || node.children.some(({ type }) => type === ElementType.Tag);
    const isContainer = /^(?:div|section|article|main|header|footer|aside|figure)$/.test(node.name);
    if (
      depth < MAX_DEPTH &&
      ((isContainer && hasInnerElements) || (isLarge && /^(?:blockquote|ul|ol|dl)$/.test(node.name)))
    ) {
      const innerBlocks = splitBlocks(node.children, depth + 1);
      const id = node.attribs.id;
      if (id && innerBlocks[0]) innerBlocks[0].ids = [id, ...(innerBlocks[0].ids ?? [])];
      blocks.push(...innerBlocks);
    } else {
      const block = createBlock([node]);
      if (block) blocks.push(block);
    }
  }
  flush();
  return blocks;
}

function createBlock(nodes: Node[], wrapper?: string): Block | null {
  const elementsWithId = DomUtils.findAll(({ attribs }) => Boolean(attribs.id), nodes);
  const ids = elementsWithId.map(({ attribs }) => attribs.id ?? '');
  // Ids are needed only to resolve links; in the reader they could clash with others.
  for (const { attribs } of elementsWithId) delete attribs.id;
  const html = nodes.map((node) => DomUtils.getOuterHTML(node, { encodeEntities: 'utf8' })).join('');
  const text = extractText(nodes)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (!text && !html.includes('<img') && !html.includes('<hr')) return null;
  return { html: wrapper ? `<${wrapper}>${html}</${wrapper}>` : html, text, ids };
}

const extractText = (nodes: Node[]): string =>
  nodes
    .map((node) => {
      if (node.type === ElementType.Text) return node.data;
      const text = 'children' in node ? extractText(node.children) : '';
      return node.type === ElementType.Tag && wordSeparators.has(node.name) ? ` ${text} ` : text;
    })
    .join('');

export function readPageTitle(html: string): string {
  const [title] = DomUtils.getElementsByTagName('title', parseDocument(html).children, true);
  return title ? DomUtils.textContent(title).replace(/\s+/g, ' ').trim() : '';
}
