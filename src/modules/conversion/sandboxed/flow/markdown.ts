import { readFileSync, statSync } from 'node:fs';
import MarkdownIt, { type Token } from 'markdown-it';
import { decodeText, detectEncoding } from '../../detect/text-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { decodeDataUrlImage } from '../web-page/read-web-page-file.ts';
import { removeHiddenHtml } from '../web-page/remove-hidden-html.ts';
import { decodeUriIfValid, findImageSources, rewriteLink } from './book-paths.ts';
import type { FlowOutput, FlowWriter } from './flow-writer.ts';
import { splitHtmlIntoBlocks } from './html-blocks.ts';
import { createImageStore } from './image-store.ts';
import { readPlainTextFile } from './plain-text.ts';

/** Dense markup of 2 MB takes 440 MB of memory. A longer text is shown as plain text. */
const MAX_BYTES = 1024 * 1024;
const PAGE = 'page';
const MAX_OUTLINE_LEVEL = 4;
const MAX_OUTLINE_ENTRIES = 5_000;
/**
 * Settings in YAML before the text, between lines of three hyphens. A line matches in one way only: with several, the time
 * would grow exponentially with the number of lines.
 */
const FRONT_MATTER = /^---[ \t]*\r?\n((?:[\w-]+:.*\r?\n|[ \t].*\r?\n|\r?\n|- .*\r?\n|#.*\r?\n)*)---[ \t]*(?:\r?\n|$)/;
const TASK_MARK = /^\[([ xX])\](?=\s)/;

type Heading = { depth: number; title: string; id: string };

/** Reads a Markdown text. Its HTML passes the same filters as a web page; only embedded images are stored. */
export async function readMarkdown(file: string, writer: FlowWriter, { folder, emit }: FlowOutput) {
  if (statSync(file).size > MAX_BYTES) {
    readPlainTextFile(file, writer);
    return {};
  }
  const bytes = readFileSync(file);
  const encoding = detectEncoding(bytes);
  if (!encoding) throw new RejectedFileError('damaged', 'not a text');
  const text = decodeText(bytes, encoding);
  const [frontMatter = '', settings = ''] = FRONT_MATTER.exec(text) ?? [];
  const { html, headings } = renderMarkdown(text.slice(frontMatter.length));
  const visibleHtml = removeHiddenHtml(html);
  const images = createImageStore(folder, emit);
  for (const source of findImageSources(visibleHtml)) await images.add(source, decodeDataUrlImage(source));
  writer.beginFile(PAGE);
  const rewrite = {
    // The parser encodes the letters of a heading.
    link: (href: string) => rewriteLink(PAGE, href.startsWith('#') ? decodeUriIfValid(href) : href),
    picture: (source: string) => images.nameOf(source),
  };
  for (const block of splitHtmlIntoBlocks(visibleHtml, rewrite)) writer.add(block, PAGE);
  const declaredTitle = /^title:[ \t]*["']?(.*?)["']?[ \t]*$/m.exec(settings)?.[1];
  return {
    title: headings[0]?.title || declaredTitle || '',
    outline: headings.map(({ depth, title, id }) => ({ depth, title, page: writer.pageOf(`${PAGE}#${id}`) })),
  };
}

export function renderMarkdown(text: string): { html: string; headings: Heading[] } {
  const parser = new MarkdownIt({ html: true, linkify: false });
  // The filters after the parser decide about links.
  parser.validateLink = () => true;
  const tokens = parser.parse(text, {});
  const headings: Heading[] = [];
  const ids = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'list_item_open') markTask(tokens, index);
    if (token.type !== 'heading_open') continue;
    const title = plainTextOf(tokens[index + 1]);
    const id = uniqueId(title, ids);
    token.attrSet('id', id);
    const level = Number(token.tag.slice(1));
    if (title && level <= MAX_OUTLINE_LEVEL && headings.length < MAX_OUTLINE_ENTRIES)
      headings.push({ depth: level - 1, title: title.slice(0, 200), id });
  }
  const topLevel = Math.min(...headings.map(({ depth }) => depth));
  return {
    html: parser.renderer.render(tokens, parser.options, {}),
    headings: headings.map((heading) => ({ ...heading, depth: heading.depth - topLevel })),
  };
}

/** Shows the state of a task list item as a character. */
function markTask(tokens: Token[], listItem: number): void {
  const inline = tokens[listItem + 2];
  const [text] = inline?.children ?? [];
  if (inline?.type !== 'inline' || text?.type !== 'text') return;
  text.content = text.content.replace(TASK_MARK, (_, state: string) => (state === ' ' ? '☐' : '☑'));
}

const plainTextOf = (inline: Token | undefined): string =>
  (inline?.children ?? [])
    .map(({ type, content }) => (type === 'html_inline' ? '' : type === 'softbreak' ? ' ' : content))
    .join('')
    .trim();

/** Id by which links of other programs refer to a heading: GitHub's rule. */
function uniqueId(title: string, ids: Set<string>): string {
  const slug = title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replace(/ /g, '-');
  let id = slug;
  for (let count = 1; ids.has(id); count++) id = `${slug}-${count}`;
  ids.add(id);
  return id;
}
