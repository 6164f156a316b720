/** SQLite FTS5 for `bench:search-engines`: terms without positions, phrases with positions, metadata in a table beside them. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { QueryWord } from '#modules/search/query/parse-query.ts';
import type { FindRequest, FindResult } from '#modules/search/search-engine.ts';
import {
  alternativeTerms,
  type BenchEngine,
  type FacetValues,
  facetValuesOf,
  type LevelPrefix,
  levelToken,
  levelTokens,
  phraseTokens,
  positionTokens,
  splitPhrases,
  upperLevels,
} from './bench-engine.ts';
import type { EngineDocument } from './bench-engine-documents.ts';
import { levelGain, levelWeight, MatchTally } from './bench-engine-matches.ts';

const BUSY_TIMEOUT_MS = 30_000;
/** The terms of one batch are written together. */
const HASH_BYTES = 64 * 1024 * 1024;

/** The facet values of a document are one number, so that a search counts it by one addition. */
const SCHEMA = `
  pragma journal_mode = wal;
  create table if not exists facet_values (id integer primary key, value text not null unique);
  create table if not exists documents (
    id integer primary key, scope integer not null, user_id integer not null, pages integer not null,
    size integer not null, created_at integer not null, quality real not null,
    facet_values_id integer not null references facet_values (id));
  create index if not exists documents_created_at on documents (created_at);
  create index if not exists documents_user_id on documents (user_id);
  create virtual table if not exists terms using fts5 (
    tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');`;
const PHRASE_SCHEMA = `
  create virtual table if not exists phrases using fts5 (
    tokens, content = '', contentless_delete = 1, detail = full, tokenize = 'ascii');`;

const wordExpression = (word: QueryWord, prefix: LevelPrefix): string =>
  alternativeTerms(word)
    .map(
      (pieces) =>
        `(${pieces.map((keys) => `(${keys.map((key) => levelToken(prefix, key)).join(' OR ')})`).join(' AND ')})`,
    )
    .join(' OR ') || 'none';

function termExpression(words: readonly QueryWord[], excludedWords: readonly QueryWord[], operator: 'AND' | 'OR') {
  const requiredTerms = words.map((word) => `(${wordExpression(word, 'a')})`).join(` ${operator} `);
  const excludedTerms = excludedWords
    .filter(({ isPhrase }) => !isPhrase)
    .map((word) => ` NOT (${wordExpression(word, 'a')})`);
  return `(${requiredTerms})${excludedTerms.join('')}`;
}

const phraseExpression = (words: readonly QueryWord[]): string =>
  words.map((word) => `"${phraseTokens(word)}"`).join(' AND ');

class Fts5Engine implements BenchEngine {
  readonly hasPositions: boolean;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #facetValues: FacetValues[] = [];
  #scores = new Float32Array(0);
  #gain = 0;
  #tally: MatchTally | null = null;

  constructor(folder: string, hasPositions: boolean) {
    this.hasPositions = hasPositions;
    mkdirSync(folder, { recursive: true });
    this.#db = new DatabaseSync(path.join(folder, 'search.db'), { timeout: BUSY_TIMEOUT_MS });
    this.#db.exec('pragma synchronous = normal; pragma cache_size = -65536; pragma mmap_size = 8589934592');
    this.#db.exec(SCHEMA + (hasPositions ? PHRASE_SCHEMA : ''));
    for (const table of this.#tables())
      this.#db.exec(`insert into ${table} (${table}, rank) values ('hashsize', ${HASH_BYTES})`);
    this.#db.aggregate('add_gain', {
      start: 0,
      step: (count, id) => {
        const at = Number(id);
        this.#scores[at] = (this.#scores[at] ?? 0) + this.#gain;
        return count;
      },
    });
    this.#db.aggregate('add_match', {
      start: 0,
      step: (count, id, values, createdAt, quality) => {
        const at = Number(id);
        this.#tally?.add(at, Number(values) - 1, Number(createdAt), Number(quality), this.#scores[at] ?? 0);
        return count;
      },
    });
  }

  #tables = () => (this.hasPositions ? ['terms', 'phrases'] : ['terms']);

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #readNumber(sql: string): number {
    return Number(this.#prepare(sql).get()?.value ?? 0);
  }

  countDocuments = async () => this.#readNumber('select count(*) as value from documents');

  #inTransaction(work: () => void): void {
    this.#db.exec('begin immediate');
    try {
      work();
      this.#db.exec('commit');
    } catch (error) {
      this.#db.exec('rollback');
      throw error;
    }
  }

  #facetValuesId(values: FacetValues): number {
    const row = this.#prepare(`
      insert into facet_values (value) values (?) on conflict (value) do update set value = excluded.value
      returning id as value`).get(JSON.stringify(values));
    return Number(row?.value);
  }

  async put(documents: readonly EngineDocument[]): Promise<void> {
    this.#inTransaction(() => {
      for (const { entry, fields, positions } of documents) {
        const { scope, userId, pages, size, createdAt, quality } = fields;
        this.#prepare('replace into documents values (?, ?, ?, ?, ?, ?, ?, ?)').run(
          ...[entry.id, scope, userId, pages, size, createdAt, quality, this.#facetValuesId(facetValuesOf(fields))],
        );
        this.#prepare('replace into terms (rowid, tokens) values (?, ?)').run(entry.id, levelTokens(entry.terms));
        if (this.hasPositions)
          this.#prepare('replace into phrases (rowid, tokens) values (?, ?)').run(entry.id, positionTokens(positions));
      }
    });
  }

  async compact(): Promise<void> {
    for (const table of this.#tables()) this.#db.exec(`insert into ${table} (${table}) values ('optimize')`);
    this.#db.exec('pragma wal_checkpoint(truncate)');
  }

  async setPrice(id: number, price: number): Promise<void> {
    this.#inTransaction(() => {
      const row = this.#prepare(`
        select value from facet_values where id = (select facet_values_id from documents where id = ?)`).get(id);
      const values: FacetValues = { ...JSON.parse(String(row?.value)), fee_type: price > 0 ? 'charge' : 'free' };
      this.#prepare('update documents set facet_values_id = ? where id = ?').run(this.#facetValuesId(values), id);
    });
  }

  async find(request: FindRequest, now: number): Promise<FindResult> {
    this.#readFacetValues();
    const maxId = this.#readNumber('select max(id) as value from documents');
    if (this.#scores.length <= maxId) this.#scores = new Float32Array(maxId + 1);
    const matches = this.#collectMatches(request, 'all', now);
    if (matches.matchCount > 0 || request.query.words.length < 2) return matches.result(false);
    return this.#collectMatches(request, 'some', now).result(true);
  }

  #readFacetValues(): void {
    if (this.#readNumber('select max(id) as value from facet_values') === this.#facetValues.length) return;
    const rows = this.#prepare('select value from facet_values order by id').all();
    this.#facetValues = rows.map(({ value }) => JSON.parse(String(value)));
  }

  #collectMatches(request: FindRequest, mode: 'all' | 'some', now: number): MatchTally {
    const { words, excludedWords } = request.query;
    const tally = new MatchTally(request, this.#facetValues, now);
    this.#scores.fill(mode === 'all' ? levelWeight(0) : 0);
    for (const word of words)
      if (mode === 'some') this.#addGain(wordExpression(word, 'a'), word.weight);
      else
        for (const [level, prefix] of upperLevels)
          this.#addGain(wordExpression(word, prefix), word.weight * levelGain(level));
    const { phrases, plainWords } = splitPhrases(request.query);
    const conditions: [string, string | number][] = [];
    const usesPositions = this.hasPositions && mode === 'all' && phrases.length > 0;
    const termWords = usesPositions ? plainWords : words;
    const table = termWords.length > 0 ? 'terms' : 'phrases';
    if (termWords.length > 0)
      conditions.push(['terms match ?', termExpression(termWords, excludedWords, mode === 'all' ? 'AND' : 'OR')]);
    if (usesPositions)
      conditions.push([
        termWords.length > 0 ? 'terms.rowid in (select rowid from phrases where phrases match ?)' : 'phrases match ?',
        phraseExpression(phrases),
      ]);
    conditions.push(...visibilityConditions(request), ...fieldConditions(request));
    this.#tally = tally;
    this.#prepare(`
      select add_match(d.id, d.facet_values_id, d.created_at, d.quality)
      from ${table} cross join documents d on d.id = ${table}.rowid
      where ${conditions.map(([sql]) => sql).join(' and ')}`).get(...conditions.map(([, value]) => value));
    return tally;
  }

  #addGain(expression: string, gain: number): void {
    this.#gain = gain;
    this.#prepare('select add_gain(rowid) from terms where terms match ?').get(expression);
  }

  async measureSizes(): Promise<Record<string, number>> {
    const rows = this.#db.prepare('select name, sum(pgsize) as size from dbstat group by name').all();
    const sizes: Record<string, number> = {};
    for (const { name, size } of rows) {
      const part = /^(terms|phrases)_/.exec(String(name))?.[1] ?? 'metadata';
      sizes[part] = (sizes[part] ?? 0) + Number(size);
    }
    return sizes;
  }

  async close(): Promise<void> {
    this.#db.close();
  }
}

/** 0 all, 1 members, 2 owner, 3 deleted. */
function visibilityConditions({ viewer: { isManager, userId } }: FindRequest): [string, number][] {
  if (isManager) return [['d.scope < ?', 3]];
  if (userId === null) return [['d.scope = ?', 0]];
  return [['(d.scope <= 1 or (d.scope = 2 and d.user_id = ?))', userId]];
}

/** Filters that are not facets. */
function fieldConditions({ filters: { from, to, users } }: FindRequest): [string, string | number][] {
  return [
    ...(from === undefined ? [] : [['d.created_at >= ?', Date.parse(from)] satisfies [string, number]]),
    ...(to === undefined ? [] : [['d.created_at <= ?', Date.parse(to)] satisfies [string, number]]),
    ...(users
      ? [['d.user_id in (select value from json_each(?))', JSON.stringify(users)] satisfies [string, string]]
      : []),
  ];
}

export const openFts5 = (folder: string, hasPositions: boolean): BenchEngine => new Fts5Engine(folder, hasPositions);
