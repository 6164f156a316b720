import { DomUtils, ElementType, parseDocument } from 'htmlparser2';
import { findElementsByLocalName, localName, parseXml, type XmlNodes } from '../xml-elements.ts';
import { resolvePath } from './book-paths.ts';
import type { BookPackage } from './epub-package.ts';
import type { Zip } from './zip-reader.ts';

export type TocEntry = { depth: number; title: string; target: string };
type Node = XmlNodes[number];

const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 8;

const tocTitleText = (node: Node | Node[]) => DomUtils.textContent(node).replace(/\s+/g, ' ').trim().slice(0, 200);

function resolveTarget(file: string, href: string): string {
  const id = href.split('#')[1];
  const path = resolvePath(file, href) ?? '';
  return id ? `${path}#${id}` : path;
}

export async function readToc(zip: Zip, { nav, ncx }: BookPackage): Promise<TocEntry[]> {
  const navBytes = nav && (await zip.read(nav));
  const fromNav = nav && navBytes ? readNav(navBytes.toString('utf8'), nav) : [];
  if (fromNav.length > 0) return fromNav;
  const ncxBytes = ncx && (await zip.read(ncx));
  return ncx && ncxBytes ? readNcx(ncxBytes, ncx) : [];
}

/** Parses the EPUB 3 format: nested lists of links. */
function readNav(html: string, file: string): TocEntry[] {
  const navs = findElementsByLocalName(parseDocument(html).children, 'nav');
  const toc = navs.find(({ attribs }) => attribs['epub:type'] === 'toc') ?? navs[0];
  const entries: TocEntry[] = [];
  const visit = (node: Node, depth: number) => {
    if (node.type !== ElementType.Tag || entries.length >= MAX_ENTRIES) return;
    if (node.name === 'a') {
      const href = node.attribs.href ?? '';
      entries.push({
        depth: Math.max(0, depth - 1),
        title: tocTitleText(node),
        target: resolveTarget(file, href),
      });
      return;
    }
    const innerDepth = node.name === 'ol' || node.name === 'ul' ? depth + 1 : depth;
    if (innerDepth <= MAX_DEPTH) for (const child of node.children) visit(child, innerDepth);
  };
  if (toc) visit(toc, 0);
  return entries;
}

/** Parses the EPUB 2 format: nested navPoints, each with a label and a target. */
function readNcx(bytes: Buffer, file: string): TocEntry[] {
  const entries: TocEntry[] = [];
  const visit = (nodes: Node[], depth: number) => {
    for (const node of nodes) {
      if (node.type !== ElementType.Tag || entries.length >= MAX_ENTRIES) continue;
      const isPoint = localName(node.name) === 'navPoint';
      if (isPoint) {
        const pointElements = node.children.filter(
          (child) => child.type === ElementType.Tag && !child.name.endsWith('navPoint'),
        );
        const label = pointElements.find((child) => 'name' in child && child.name.endsWith('navLabel'));
        const content = pointElements.find((child) => 'name' in child && child.name.endsWith('content'));
        const source = content && 'attribs' in content ? (content.attribs.src ?? '') : '';
        entries.push({ depth, title: label ? tocTitleText(label) : '', target: resolveTarget(file, source) });
      }
      if (depth < MAX_DEPTH) visit(node.children, isPoint ? depth + 1 : depth);
    }
  };
  visit(parseXml(bytes), 0);
  return entries;
}
