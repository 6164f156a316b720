import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { emptyMeta } from '../../empty-meta.ts';
import { pageName } from '../../page-name.ts';
import type { RenditionMeta } from '../../rendition-meta.ts';
import type { ConverterEvent } from '../events.ts';
import { RejectedFileError } from '../rejection-reasons.ts';

/** Flowing text has no pages; a section of about this length counts as one. */
const TARGET_SECTION_LENGTH = 2_000;
const MAX_SECTIONS = 20_000;

/** Where the files of a document are written, and how they are announced. */
export type FlowOutput = { folder: string; emit: (event: ConverterEvent) => void };

export type Block = { html: string; text: string; ids?: string[] };
/** Target of a link: a file of the book, optionally with "#" and an id. */
export type LinkTarget = string;

type FlowSection = { html: string; text: string };

/** Collects blocks into sections; each chapter begins a new section. */
export function flowWriter(folder: string, emit: (event: ConverterEvent) => void) {
  const sections: FlowSection[] = [];
  const pageOfTarget = new Map<LinkTarget, number>();
  /** Number of characters of the section before the target. */
  const offsetInSection = new Map<LinkTarget, number>();
  const outline: RenditionMeta['outline'] = [];
  let openSection: FlowSection | null = null;
  const closeSection = () => {
    if (openSection?.html) sections.push(openSection);
    openSection = null;
  };
  const nextPage = () => sections.length + 1;
  return {
    beginFile(target: LinkTarget) {
      closeSection();
      pageOfTarget.set(target, nextPage());
    },
    beginChapter(title: string, depth = 0) {
      closeSection();
      outline.push({ depth, title: title.slice(0, 200), page: nextPage() });
    },
    add({ html, text, ids = [] }: Block, file = '') {
      if (openSection && openSection.text.length > 0 && openSection.text.length + text.length > TARGET_SECTION_LENGTH)
        closeSection();
      if (sections.length >= MAX_SECTIONS) return;
      openSection ??= { html: '', text: '' };
      const depth = openSection.text.length;
      openSection.html += html;
      openSection.text += openSection.text ? `\n${text}` : text;
      for (const id of ids) {
        pageOfTarget.set(`${file}#${id}`, nextPage());
        offsetInSection.set(`${file}#${id}`, depth);
      }
    },
    pageOf: (target: LinkTarget): number =>
      pageOfTarget.get(target) ?? pageOfTarget.get(target.split('#')[0] ?? '') ?? 0,
    /** Writes all files. The `outline` of the book itself takes precedence over the collected one. */
    finish(book: { title?: string; author?: string; outline?: RenditionMeta['outline'] }) {
      closeSection();
      if (!sections.some(({ text, html }) => text.trim() || html.includes('<img')))
        throw new RejectedFileError('empty');
      const meta: RenditionMeta = {
        ...emptyMeta(),
        outline: (book.outline?.length ? book.outline : outline).filter(({ title }) => title),
        title: book.title?.slice(0, 200) ?? '',
        author: book.author?.slice(0, 200) ?? '',
      };
      writeFileSync(`${folder}/meta.json`, JSON.stringify(meta));
      emit({ type: 'opened', pages: sections.length, width: 0, height: 0 });
      mkdirSync(`${folder}/f`, { recursive: true });
      writeFileSync(`${folder}/text.txt`, '');
      const hrefOf = (target: LinkTarget) => {
        const page = this.pageOf(target);
        const relativePosition = (offsetInSection.get(target) ?? 0) / (sections[page - 1]?.text.length || 1);
        const positionAttribute = relativePosition > 0 ? ` data-at="${relativePosition.toFixed(3)}"` : '';
        return page > 0 ? ` href="#p=${page}"${positionAttribute}` : '';
      };
      sections.forEach(({ html, text }, index) => {
        const page = index + 1;
        const body = { html: resolveLinks(html, hrefOf), text };
        writeFileSync(`${folder}/f/${pageName(page)}.json`, JSON.stringify(body));
        appendFileSync(`${folder}/text.txt`, page === 1 ? text : `\f${text}`);
        emit({ type: 'page', page });
      });
      emit({ type: 'text' });
      return { title: meta.title, firstText: sections[0]?.text ?? '' };
    },
  };
}

/** Rewrites internal links to the section that contains the target and its relative position there. */
const resolveLinks = (html: string, hrefOf: (target: LinkTarget) => string): string =>
  html.replace(/ href="#place:([^"]*)"/g, (_, target: string) => hrefOf(decodeURIComponent(target)));

export type FlowWriter = ReturnType<typeof flowWriter>;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');
