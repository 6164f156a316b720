/** Generates documents for the search bench with word frequencies of Chinese. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { dict } from '@node-rs/jieba/dict.js';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { seededRandom } from '#modules/search/golden-queries.fixture.ts';

/** Pages of a document. `BENCH_PAGES=2` makes a corpus that slower engines index in an acceptable time. */
export const PAGES = Number(process.env.BENCH_PAGES ?? 10);
const WORDS_PER_PAGE = 230;
const TOPIC_WORDS = 25;
const YEAR_MS = 365 * 86_400_000;
/** Latest creation time of a document, the same in every run. */
const NOW = Date.parse('2026-11-01T00:00:00Z');

type Vocabulary = { words: string[]; cumulativeCounts: Float64Array; total: number };

/** Words of the jieba dictionary with their frequencies. */
function readVocabulary(): Vocabulary {
  const entries = Buffer.from(dict)
    .toString()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([word = '', count]) => /^\p{Script=Han}{1,6}$/u.test(word) && Number(count) > 0);
  const cumulativeCounts = new Float64Array(entries.length);
  let total = 0;
  for (const [index, [, count]] of entries.entries()) {
    total += Number(count);
    cumulativeCounts[index] = total;
  }
  return { words: entries.map(([word = '']) => word), cumulativeCounts, total };
}

const vocabulary = readVocabulary();

/** A random word by frequency. */
function pickWord({ words, cumulativeCounts, total }: Vocabulary, next: () => number): string {
  const target = next() * total;
  let [low, high] = [0, cumulativeCounts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cumulativeCounts[middle] ?? 0) < target) low = middle + 1;
    else high = middle;
  }
  return words[low] ?? '';
}

/** A random word of at least two characters, independent of its frequency and therefore mostly rare. */
function pickTopicWord(next: () => number): string {
  for (;;) {
    const word = vocabulary.words[Math.floor(next() * vocabulary.words.length)] ?? '';
    if (word.length >= 2) return word;
  }
}

type SampleDocument = {
  title: string;
  keywords: string;
  description: string;
  pages: string[];
};

/** Deterministic: the same document for the same number. */
export function makeDocument(number: number, pageCount: number = PAGES): SampleDocument {
  const next = seededRandom(number * 2_654_435_761 + 17);
  // Topic words occur often in the document; half of them are common words, half rare.
  const topics = Array.from({ length: TOPIC_WORDS }, (_, index) => {
    if (index % 2 === 0) return pickTopicWord(next);
    for (;;) {
      const word = pickWord(vocabulary, next);
      if (word.length >= 2) return word;
    }
  });
  const randomTopic = () => topics[Math.floor(next() ** 2 * TOPIC_WORDS)] ?? '';
  const pages = Array.from({ length: pageCount }, () => {
    let page = '';
    for (let index = 0; index < WORDS_PER_PAGE; index += 1) {
      page += next() < 0.15 ? randomTopic() : pickWord(vocabulary, next);
      if (next() < 0.08) page += next() < 0.5 ? '，' : '。\n';
    }
    return page;
  });
  return {
    title: `${topics.slice(0, 3 + Math.floor(next() * 3)).join('')}${number % 7 === 0 ? '研究' : ''}`,
    keywords: topics.slice(0, 5).join(','),
    description: (pages[0] ?? '').replace(/\n/g, '').slice(0, 255),
    pages,
  };
}

const hashOf = (number: number) => createHash('sha256').update(`bench ${number}`).digest('hex');
const extensions = ['.pdf', '.pdf', '.pdf', '.docx', '.doc', '.pptx', '.xlsx', '.txt', '.epub'];

export async function copyRows(client: pg.PoolClient, target: string, lines: Iterable<string>) {
  const stream = client.query(copyFrom(`copy ${target} from stdin`));
  for (const line of lines) if (!stream.write(line)) await once(stream, 'drain');
  stream.end();
  await finished(stream);
}

const escapeCopyText = (text: string) => text.replace(/[\\\t\n\r]/g, ' ');

/** Inserts the documents with these numbers and stores their text, as after a finished conversion. */
export async function insertSampleDocuments(
  client: pg.PoolClient,
  storage: string,
  { from, to, categories }: { from: number; to: number; categories: number[] },
): Promise<{ textBytes: number }> {
  let textBytes = 0;
  const rows: { number: number; document: SampleDocument; bytes: number }[] = [];
  for (let number = from; number < to; number += 1) {
    const document = makeDocument(number);
    const text = document.pages.join('\f');
    const bytes = Buffer.byteLength(text);
    textBytes += bytes;
    const file = renditionStorageKeys({ hash: hashOf(number), format: 'txt', version: 1 }).text;
    const target = path.join(storage, 'objects', file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
    rows.push({ number, document: { ...document, pages: [] }, bytes });
  }
  await copyRows(
    client,
    'renditions (hash, format, size, state, version, view, pages, ready_pages, language, text_size)',
    rows.map(
      ({ number, bytes }) => `${hashOf(number)}\ttxt\t${bytes}\tready\t1\tflow\t${PAGES}\t${PAGES}\tzh\t${bytes}\n`,
    ),
  );
  const { rows: renditions } = await client.query<{ id: string; hash: string }>(
    'select id, hash from renditions where hash = any($1)',
    [rows.map(({ number }) => hashOf(number))],
  );
  const renditionIds = new Map(renditions.map(({ id, hash }) => [hash, id]));
  await copyRows(
    client,
    'documents (user_id, rendition_id, format, title, keywords, description, ext, size, price, language, conversion_state, view_count, created_at)',
    rows.map(({ number, document, bytes }) => {
      const next = seededRandom(number + 99);
      const createdAt = new Date(NOW - next() ** 2 * 4 * YEAR_MS).toISOString();
      const ext = extensions[number % extensions.length];
      const price = number % 5 === 0 ? 1 + (number % 20) : 0;
      const views = Math.floor(1 / (next() + 0.0005));
      return `${[
        ...[
          1,
          renditionIds.get(hashOf(number)),
          'txt',
          escapeCopyText(document.title),
          escapeCopyText(document.keywords),
        ],
        ...[escapeCopyText(document.description), ext, bytes, price, 'zh', 'converted', views, createdAt],
      ].join('\t')}\n`;
    }),
  );
  await client.query(
    `insert into document_categories (document_id, category_id)
     select d.id, ($2::bigint[])[1 + d.id % cardinality($2::bigint[])]
     from documents d join renditions r on r.id = d.rendition_id where r.hash = any($1)
     on conflict do nothing`,
    [rows.map(({ number }) => hashOf(number)), categories],
  );
  await client.query(
    `insert into search_index_queue (document_id, is_full)
     select d.id, true from documents d join renditions r on r.id = d.rendition_id where r.hash = any($1) order by d.id`,
    [rows.map(({ number }) => hashOf(number))],
  );
  return { textBytes };
}
