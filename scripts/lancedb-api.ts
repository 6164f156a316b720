/** The part of the API of LanceDB that the bench uses. LanceDB is not a dependency: it is imported from a folder. */
import { createRequire } from 'node:module';
import path from 'node:path';

declare const query: unique symbol;
/** A full-text query; only LanceDB creates it. */
export type LanceQuery = { readonly [query]: true };
type LanceIndex = { readonly [query]: false };
type Column = { toArray(): ArrayLike<number> };
type SearchBuilder = {
  fullTextSearch(query: LanceQuery): SearchBuilder;
  where(predicate: string): SearchBuilder;
  select(columns: string[]): SearchBuilder;
  limit(count: number): SearchBuilder;
  toArrow(): Promise<{ numRows: number; getChild(name: string): Column | null }>;
  toArray(): Promise<Record<string, unknown>[]>;
};
type MergeBuilder = {
  whenMatchedUpdateAll(): MergeBuilder;
  whenNotMatchedInsertAll(): MergeBuilder;
  execute(rows: LanceRow[]): Promise<unknown>;
};
export type LanceRow = Record<string, string | number>;
export type LanceTable = {
  add(rows: LanceRow[]): Promise<unknown>;
  mergeInsert(column: string): MergeBuilder;
  update(options: { where: string; values: LanceRow }): Promise<unknown>;
  createIndex(column: string, options: { config: LanceIndex }): Promise<void>;
  countRows(filter?: string): Promise<number>;
  optimize(options: { cleanupOlderThan: Date; deleteUnverified?: boolean }): Promise<unknown>;
  query(): SearchBuilder;
};
export type LanceConnection = {
  tableNames(): Promise<string[]>;
  openTable(name: string): Promise<LanceTable>;
  createTable(name: string, rows: LanceRow[]): Promise<LanceTable>;
  close(): void;
};
type TokenizerOptions = {
  withPosition: boolean;
  baseTokenizer: 'whitespace';
  stem: boolean;
  lowercase: boolean;
  removeStopWords: boolean;
};
export type LanceModule = {
  connect(folder: string, options: { readConsistencyInterval: number }): Promise<LanceConnection>;
  Index: { fts(options: TokenizerOptions): LanceIndex; btree(): LanceIndex };
  Occur: { Must: string; Should: string; MustNot: string };
  Operator: { And: string; Or: string };
  MatchQuery: new (text: string, column: string, options: { operator: string }) => LanceQuery;
  PhraseQuery: new (text: string, column: string) => LanceQuery;
  BooleanQuery: new (clauses: [occur: string, query: LanceQuery][]) => LanceQuery;
};

export function loadLanceDb(folder: string): LanceModule {
  const packageName = '@lancedb/lancedb';
  try {
    return createRequire(path.resolve(folder, 'package.json'))(packageName);
  } catch (error) {
    throw new Error(`LanceDB is not in --lancedb ${folder}: npm install --prefix FOLDER ${packageName}`, {
      cause: error,
    });
  }
}
