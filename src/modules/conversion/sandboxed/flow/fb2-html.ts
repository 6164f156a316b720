import { DomUtils, ElementType } from 'htmlparser2';
import { findAttributeValue, localName, type XmlNodes } from '../xml-elements.ts';
import { escapeHtml } from './flow-writer.ts';

type Node = XmlNodes[number];
type Element = Extract<Node, { attribs: Record<string, string> }>;

/** HTML elements for elements of a FictionBook; others keep only their content. */
const htmlNames: Record<string, string> = {
  p: 'p',
  'text-author': 'p',
  date: 'p',
  subtitle: 'h5',
  epigraph: 'blockquote',
  cite: 'blockquote',
  poem: 'blockquote',
  annotation: 'blockquote',
  stanza: 'p',
  emphasis: 'em',
  strong: 'strong',
  strikethrough: 's',
  sub: 'sub',
  sup: 'sup',
  code: 'code',
  style: 'span',
  table: 'table',
  tr: 'tr',
  td: 'td',
  th: 'th',
};
const MIN_HEADING_LEVEL = 6;

const isElement = (node: Node): node is Element => node.type === ElementType.Tag;

/** Title of a section in one line. */
export const headingOf = ({ children }: { children: XmlNodes }): string => {
  const title = children.find((node) => isElement(node) && localName(node.name) === 'title');
  return title && isElement(title) ? titleLines(title).join(' ') : '';
};

const titleLines = (title: Element): string[] =>
  title.children
    .filter(isElement)
    .map((line) => DomUtils.textContent(line).replace(/\s+/g, ' ').trim())
    .filter(Boolean);

type SectionIds = { id: string | undefined; headingId: string };

/** HTML of a section without the sections in it; links find it by either id. */
export function fictionBookToHtml(nodes: XmlNodes, level: number, { id, headingId }: SectionIds): string {
  const heading = `h${Math.min(level + 1, MIN_HEADING_LEVEL)}`;
  const toHtml = (node: Node): string => {
    if (node.type === ElementType.Text) return escapeHtml(node.data);
    if (!isElement(node)) return '';
    const name = localName(node.name);
    if (name === 'section') return '';
    if (name === 'title')
      return `<${heading} id="${headingId}">${titleLines(node).map(escapeHtml).join('<br>')}</${heading}>`;
    if (name === 'image')
      return `<img src="${escapeHtml(findAttributeValue(node.attribs, 'href'))}" alt="${escapeHtml(node.attribs.alt ?? '')}">`;
    const content = node.children.map(toHtml).join('');
    if (name === 'a') return `<a href="${escapeHtml(findAttributeValue(node.attribs, 'href'))}">${content}</a>`;
    // Lines of a verse.
    if (name === 'v') return `${content}<br>`;
    const htmlName = htmlNames[name];
    return htmlName ? `<${htmlName}${attributesOf(node)}>${content}</${htmlName}>` : content;
  };
  const html = nodes.map(toHtml).join('');
  return id ? `<div id="${escapeHtml(id)}">${html}</div>` : html;
}

const attributesOf = ({ attribs }: Element): string =>
  ['id', 'colspan', 'rowspan']
    .flatMap((name) => (attribs[name] ? [` ${name}="${escapeHtml(attribs[name])}"`] : []))
    .join('');
