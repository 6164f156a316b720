import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { emptyMeta } from '../../empty-meta.ts';
import { pageName } from '../../page-name.ts';
import type { RenditionMeta } from '../../rendition-meta.ts';
import type { ConverterEvent } from '../events.ts';
import { RejectedFileError } from '../rejection-reasons.ts';

/** Flowing text has no pages of its own: a section of about so many letters counts as one. */
const SECTION_LETTERS = 2_000;
const MAX_SECTIONS = 20_000;

export type Block = { html: string; text: string; ids?: string[] };
/** A place links may lead to: a file of the book, and an id in it. */
export type Place = string;

type Section = { html: string; text: string };

/** Collects blocks into sections; a chapter begins a new one. */
export function flowWriter(folder: string, say: (event: ConverterEvent) => void) {
  const sections: Section[] = [];
  const places = new Map<Place, number>();
  /** Letters of its section before a place. */
  const depths = new Map<Place, number>();
  const outline: RenditionMeta['outline'] = [];
  let open: Section | null = null;
  const close = () => {
    if (open?.html) sections.push(open);
    open = null;
  };
  const nextPage = () => sections.length + 1;
  return {
    beginFile(place: Place) {
      close();
      places.set(place, nextPage());
    },
    beginChapter(title: string, depth = 0) {
      close();
      outline.push({ depth, title: title.slice(0, 200), page: nextPage() });
    },
    add({ html, text, ids = [] }: Block, file = '') {
      if (open && open.text.length > 0 && open.text.length + text.length > SECTION_LETTERS) close();
      if (sections.length >= MAX_SECTIONS) return;
      open ??= { html: '', text: '' };
      const depth = open.text.length;
      open.html += html;
      open.text += open.text ? `\n${text}` : text;
      for (const id of ids) {
        places.set(`${file}#${id}`, nextPage());
        depths.set(`${file}#${id}`, depth);
      }
    },
    pageOf: (place: Place): number => places.get(place) ?? places.get(place.split('#')[0] ?? '') ?? 0,
    /** Writes everything; `outline` of the book itself goes before the one gathered on the way. */
    finish(book: { title?: string; author?: string; outline?: RenditionMeta['outline'] }) {
      close();
      if (!sections.some(({ text, html }) => text.trim() || html.includes('<img')))
        throw new RejectedFileError('empty');
      const meta: RenditionMeta = {
        ...emptyMeta(),
        outline: (book.outline?.length ? book.outline : outline).filter(({ title }) => title),
        title: book.title?.slice(0, 200) ?? '',
        author: book.author?.slice(0, 200) ?? '',
      };
      writeFileSync(`${folder}/meta.json`, JSON.stringify(meta));
      say({ type: 'opened', pages: sections.length, width: 0, height: 0 });
      mkdirSync(`${folder}/f`, { recursive: true });
      writeFileSync(`${folder}/text.txt`, '');
      const hrefOf = (place: Place) => {
        const page = this.pageOf(place);
        const down = (depths.get(place) ?? 0) / (sections[page - 1]?.text.length || 1);
        const at = down > 0 ? ` data-at="${down.toFixed(3)}"` : '';
        return page > 0 ? ` href="#p=${page}"${at}` : '';
      };
      sections.forEach(({ html, text }, index) => {
        const page = index + 1;
        const body = { html: linkPages(html, hrefOf), text };
        writeFileSync(`${folder}/f/${pageName(page)}.json`, JSON.stringify(body));
        appendFileSync(`${folder}/text.txt`, page === 1 ? text : `\f${text}`);
        say({ type: 'page', page });
      });
      say({ type: 'text' });
      return { title: meta.title, firstText: sections[0]?.text ?? '' };
    },
  };
}

/** Links inside the book lead to the section their target came to lie in, and so far down in it. */
const linkPages = (html: string, hrefOf: (place: Place) => string): string =>
  html.replace(/ href="#place:([^"]*)"/g, (_, place: string) => hrefOf(decodeURIComponent(place)));

export type FlowWriter = ReturnType<typeof flowWriter>;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? '');
