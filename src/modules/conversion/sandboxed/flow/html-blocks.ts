import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import sanitizeHtml from 'sanitize-html';
import { allowedAttributes, allowedTags } from './allowed-html.ts';
import type { Block } from './flow-writer.ts';

type Tag = sanitizeHtml.Tag;
type Node = ReturnType<typeof parseDocument>['children'][number];

const LARGE_LETTERS = 1_500;
const MAX_DEPTH = 40;
const blockNames = new Set(
  'p div section article main header footer aside blockquote pre ul ol li dl dt dd table h1 h2 h3 h4 h5 h6 hr figure'.split(
    ' ',
  ),
);

/** Words on both sides of these are separate words, also where no space is between the tags. */
const separators = new Set([
  ...blockNames,
  ...['br', 'caption', 'td', 'tfoot', 'th', 'thead', 'tbody', 'tr', 'figcaption'],
]);

/** How links and pictures of the book are written; null drops them. */
export type Rewrite = {
  link(href: string): string | null;
  /** The name of the stored picture. */
  picture(source: string): string | null;
};

const allowed: sanitizeHtml.IOptions = {
  allowedTags,
  allowedAttributes: { ...allowedAttributes, '*': ['id'] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'object', 'head'],
};

/** Makes a page of a book safe and cuts it into blocks. */
export function htmlBlocks(html: string, rewrite: Rewrite): Block[] {
  const safe = sanitizeHtml(html, {
    ...allowed,
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
      // Drawings are mostly a frame around one picture.
      image: (_, attribs): Tag => {
        const name = rewrite.picture(attribs['xlink:href'] ?? attribs.href ?? '');
        return name ? { tagName: 'img', attribs: { src: name, alt: '' } } : { tagName: 'span', attribs: {} };
      },
    },
  });
  return blocksOf(parseDocument(safe).children, 0);
}

function blocksOf(nodes: Node[], depth: number): Block[] {
  const blocks: Block[] = [];
  let inline: Node[] = [];
  const flush = () => {
    const block = inline.length > 0 && blockOf(inline, 'p');
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
    const isLarge = DomUtils.textContent(node).length > LARGE_LETTERS;
    const opens = isLarge || node.children.some(({ type }) => type === ElementType.Tag);
    const isContainer = /^(?:div|section|article|main|header|footer|aside|figure)$/.test(node.name);
    if (depth < MAX_DEPTH && ((isContainer && opens) || (isLarge && /^(?:blockquote|ul|ol|dl)$/.test(node.name)))) {
      const inner = blocksOf(node.children, depth + 1);
      const id = node.attribs.id;
      if (id && inner[0]) inner[0].ids = [id, ...(inner[0].ids ?? [])];
      blocks.push(...inner);
    } else {
      const block = blockOf([node]);
      if (block) blocks.push(block);
    }
  }
  flush();
  return blocks;
}

function blockOf(nodes: Node[], wrapper?: string): Block | null {
  const named = DomUtils.findAll(({ attribs }) => Boolean(attribs.id), nodes);
  const ids = named.map(({ attribs }) => attribs.id ?? '');
  // Ids are for finding places only; in the reader they could clash with others.
  for (const { attribs } of named) delete attribs.id;
  const html = nodes.map((node) => DomUtils.getOuterHTML(node, { encodeEntities: 'utf8' })).join('');
  const text = textOf(nodes)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (!text && !html.includes('<img') && !html.includes('<hr')) return null;
  return { html: wrapper ? `<${wrapper}>${html}</${wrapper}>` : html, text, ids };
}

const textOf = (nodes: Node[]): string =>
  nodes
    .map((node) => {
      if (node.type === ElementType.Text) return node.data;
      const text = 'children' in node ? textOf(node.children) : '';
      return node.type === ElementType.Tag && separators.has(node.name) ? ` ${text} ` : text;
    })
    .join('');

/** What a page calls itself. */
export function pageTitle(html: string): string {
  const [title] = DomUtils.getElementsByTagName('title', parseDocument(html).children, true);
  return title ? DomUtils.textContent(title).replace(/\s+/g, ' ').trim() : '';
}
