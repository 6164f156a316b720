/** LanceDB for `bench:search-engines`: one row for each document, with its terms as text of a full-text index. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FindRequest, FindResult } from '#modules/search/search-engine.ts';
import { hashWord } from '#modules/text/word-hash.ts';
import {
  type BenchEngine,
  type FacetValues,
  facetValuesOf,
  levelTokens,
  positionTokens,
  upperLevels,
} from './bench-engine.ts';
import type { EngineDocument } from './bench-engine-documents.ts';
import { levelGain, levelWeight, MatchTally } from './bench-engine-matches.ts';
import { type LanceConnection, type LanceModule, type LanceRow, type LanceTable, loadLanceDb } from './lancedb-api.ts';
import { LanceQueries } from './lancedb-queries.ts';

class LanceEngine implements BenchEngine {
  readonly hasPositions: boolean;
  readonly #lance: LanceModule;
  readonly #queries: LanceQueries;
  readonly #connection: LanceConnection;
  readonly #folder: string;
  #documents: LanceTable | null = null;
  #facetTable: LanceTable | null = null;
  /** Place of facet values in `#facetValues` by the hash that the rows contain. */
  readonly #facetNumbers = new Map<number, number>();
  readonly #facetValues: FacetValues[] = [];
  #scores = new Float32Array(0);

  constructor(lance: LanceModule, connection: LanceConnection, folder: string, hasPositions: boolean) {
    this.#lance = lance;
    this.#queries = new LanceQueries(lance);
    this.#connection = connection;
    this.#folder = folder;
    this.hasPositions = hasPositions;
  }

  async openTables(): Promise<void> {
    if (!(await this.#connection.tableNames()).includes('documents')) return;
    this.#documents = await this.#connection.openTable('documents');
    this.#facetTable = await this.#connection.openTable('facet_values');
    await this.#readFacetValues();
  }

  async #readFacetValues(): Promise<void> {
    const rows = (await this.#facetTable?.query().toArray()) ?? [];
    for (const { hash, value } of rows) this.#addFacetValues(Number(hash), JSON.parse(String(value)));
  }

  #addFacetValues(hash: number, values: FacetValues): void {
    if (this.#facetNumbers.has(hash)) return;
    this.#facetNumbers.set(hash, this.#facetValues.length);
    this.#facetValues.push(values);
  }

  countDocuments = async () => (await this.#documents?.countRows()) ?? 0;

  async #storeFacetValues(valuesList: readonly FacetValues[]): Promise<void> {
    const newRows = new Map<number, LanceRow>();
    for (const values of valuesList) {
      const value = JSON.stringify(values);
      const hash = hashWord(value);
      if (!this.#facetNumbers.has(hash)) newRows.set(hash, { hash, value });
      this.#addFacetValues(hash, values);
    }
    if (newRows.size === 0) return;
    const rows = [...newRows.values()];
    if (!this.#facetTable) this.#facetTable = await this.#connection.createTable('facet_values', rows);
    else await this.#facetTable.mergeInsert('hash').whenNotMatchedInsertAll().execute(rows);
  }

  #rowOf({ entry, fields, positions }: EngineDocument): LanceRow {
    const { scope, userId, pages, size, createdAt, quality } = fields;
    return {
      id: entry.id,
      scope,
      user_id: userId,
      pages,
      size,
      created_at: createdAt,
      quality,
      facet_values: hashWord(JSON.stringify(facetValuesOf(fields))),
      terms: levelTokens(entry.terms),
      ...(this.hasPositions && { keys: positionTokens(positions) }),
    };
  }

  async put(documents: readonly EngineDocument[]): Promise<void> {
    await this.#storeFacetValues(documents.map(({ fields }) => facetValuesOf(fields)));
    const rows = documents.map((document) => this.#rowOf(document));
    if (!this.#documents) {
      this.#documents = await this.#connection.createTable('documents', rows);
      await this.#createIndexes(this.#documents);
      return;
    }
    const ids = documents.map(({ entry }) => entry.id);
    // A row without a predecessor needs no join with the whole table.
    if ((await this.#documents.countRows(`id in (${ids.join(',')})`)) === 0) await this.#documents.add(rows);
    else await this.#documents.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
  }

  async #createIndexes(documents: LanceTable): Promise<void> {
    const { Index } = this.#lance;
    const options = {
      baseTokenizer: 'whitespace',
      stem: false,
      lowercase: false,
      removeStopWords: false,
    } as const;
    await documents.createIndex('id', { config: Index.btree() });
    await documents.createIndex('scope', { config: Index.btree() });
    await documents.createIndex('created_at', { config: Index.btree() });
    await documents.createIndex('terms', { config: Index.fts({ ...options, withPosition: false }) });
    if (this.hasPositions)
      await documents.createIndex('keys', { config: Index.fts({ ...options, withPosition: true }) });
  }

  /**
   * Searches scan rows that are not in the full-text index yet. Each call rewrites the whole index: after every 2,048
   * documents, as the site's index is merged, filling became slower with each call.
   */
  async compact(): Promise<void> {
    await this.#documents?.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
    // The first call still needs the version before it; the second deletes that.
    await this.#documents?.optimize({ cleanupOlderThan: new Date(), deleteUnverified: true });
  }

  async setPrice(id: number, price: number): Promise<void> {
    const [row] = (await this.#documents?.query().where(`id = ${id}`).select(['facet_values']).toArray()) ?? [];
    const values = this.#facetValues[this.#facetNumbers.get(Number(row?.facet_values)) ?? -1];
    if (!values) throw new Error(`document ${id} has no facet values`);
    const newValues: FacetValues = { ...values, fee_type: price > 0 ? 'charge' : 'free' };
    await this.#storeFacetValues([newValues]);
    const hash = hashWord(JSON.stringify(newValues));
    await this.#documents?.update({ where: `id = ${id}`, values: { facet_values: hash } });
  }

  async find(request: FindRequest, now: number): Promise<FindResult> {
    const matches = await this.#collectMatches(request, 'all', now);
    if (matches.matchCount > 0 || request.query.words.length < 2) return matches.result(false);
    return (await this.#collectMatches(request, 'some', now)).result(true);
  }

  async #collectMatches(request: FindRequest, mode: 'all' | 'some', now: number): Promise<MatchTally> {
    const { words } = request.query;
    const count = await this.countDocuments();
    const gains =
      mode === 'some'
        ? words.map((word) => ({ query: this.#queries.word(word, 'a'), gain: word.weight }))
        : words.flatMap((word) =>
            upperLevels.map(([level, prefix]) => ({
              query: this.#queries.word(word, prefix),
              gain: word.weight * levelGain(level),
            })),
          );
    const search = (query: (typeof gains)[number]['query'], columns: string[]) =>
      this.#documents
        ?.query()
        .fullTextSearch(query)
        .where(visibilityPredicate(request))
        .select([...columns, '_score'])
        .limit(count);
    const query = this.#queries.matches(request, mode, this.hasPositions);
    const [matches, ...gainIds] = await Promise.all([
      search(query, ['id', 'facet_values', 'created_at', 'quality'])?.toArrow(),
      ...gains.map(async ({ query }) => (await search(query, ['id'])?.toArrow())?.getChild('id')?.toArray() ?? []),
    ]);
    const columnOf = (name: string) => matches?.getChild(name)?.toArray() ?? [];
    const [ids, hashes, times, qualities] = [
      columnOf('id'),
      columnOf('facet_values'),
      columnOf('created_at'),
      columnOf('quality'),
    ];
    await this.#readUnknownFacetValues(hashes);
    this.#prepareScores(ids, gainIds, mode === 'all' ? levelWeight(0) : 0);
    for (const [at, { gain }] of gains.entries())
      for (const id of Array.from(gainIds[at] ?? [])) this.#scores[id] = (this.#scores[id] ?? 0) + gain;
    const tally = new MatchTally(request, this.#facetValues, now);
    for (let at = 0; at < ids.length; at += 1) {
      const id = ids[at] ?? 0;
      const number = this.#facetNumbers.get(hashes[at] ?? 0) ?? 0;
      tally.add(id, number, times[at] ?? 0, qualities[at] ?? 0, this.#scores[id] ?? 0);
    }
    return tally;
  }

  /** Another process may have stored facet values. */
  async #readUnknownFacetValues(hashes: ArrayLike<number>): Promise<void> {
    for (let at = 0; at < hashes.length; at += 1)
      if (!this.#facetNumbers.has(hashes[at] ?? 0)) return await this.#readFacetValues();
  }

  #prepareScores(ids: ArrayLike<number>, gainIds: readonly ArrayLike<number>[], score: number): void {
    let maxId = 0;
    for (const list of [ids, ...gainIds])
      for (let at = 0; at < list.length; at += 1) maxId = Math.max(maxId, list[at] ?? 0);
    if (this.#scores.length <= maxId) this.#scores = new Float32Array(maxId + 1);
    this.#scores.fill(score);
  }

  async measureSizes(): Promise<Record<string, number>> {
    const files = readdirSync(this.#folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const sizes: Record<string, number> = {};
    for (const file of files) {
      const part = file.parentPath.includes('_indices') ? 'terms' : 'rows';
      sizes[part] = (sizes[part] ?? 0) + statSync(path.join(file.parentPath, file.name)).size;
    }
    return sizes;
  }

  async close(): Promise<void> {
    this.#connection.close();
  }
}

/** 0 all, 1 members, 2 owner, 3 deleted; and filters that are not facets. */
function visibilityPredicate({ viewer: { isManager, userId }, filters: { from, to, users } }: FindRequest): string {
  const conditions = [
    isManager ? 'scope < 3' : userId === null ? 'scope = 0' : `(scope <= 1 or (scope = 2 and user_id = ${userId}))`,
    ...(from === undefined ? [] : [`created_at >= ${Date.parse(from)}`]),
    ...(to === undefined ? [] : [`created_at <= ${Date.parse(to)}`]),
    ...(users ? [`user_id in (${users.join(',')})`] : []),
  ];
  return conditions.join(' and ');
}

/** `lancedb`: the folder where the package is installed. */
export async function openLanceDb(folder: string, lancedb: string, hasPositions: boolean): Promise<BenchEngine> {
  const lance = loadLanceDb(lancedb);
  // Each search reads the newest version that any process has written.
  const connection = await lance.connect(folder, { readConsistencyInterval: 0 });
  const engine = new LanceEngine(lance, connection, folder, hasPositions);
  await engine.openTables();
  return engine;
}
