import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Violation } from './vocabulary-names.ts';
import type { DeclaredTypes } from './vocabulary-types.ts';

export type CheckedFile = { violations: Violation[]; types: DeclaredTypes | null };
type Cache = { rules: string; files: Record<string, { hash: string; result: CheckedFile }> };

const CACHE_FILE = 'node_modules/.cache/vocabulary/files.json';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

/** A changed rule invalidates the results of all files. */
const hashOfRules = (): string =>
  hashOf(
    globSync('scripts/{check-vocabulary,vocabulary*}.ts')
      .sort()
      .map((file) => readFileSync(file, 'utf8'))
      .join('\0'),
  );

function readCache(rules: string): Cache {
  try {
    const cache: Cache = JSON.parse(readFileSync(CACHE_FILE, 'utf8'));
    if (cache.rules === rules) return cache;
  } catch {
    // Missing at the first run, or broken by an interrupted one: every file is checked.
  }
  return { rules, files: {} };
}

/** Checks the files whose text has changed since the last run. */
export function checkWithCache(files: string[], check: (file: string, text: string) => CheckedFile): CheckedFile[] {
  const cache = readCache(hashOfRules());
  const nextCache: Cache = { rules: cache.rules, files: {} };
  const results = files.map((file) => {
    const text = readFileSync(file, 'utf8');
    const hash = hashOf(text);
    const cachedFile = cache.files[file];
    const result = cachedFile?.hash === hash ? cachedFile.result : check(file, text);
    nextCache.files[file] = { hash, result };
    return result;
  });
  mkdirSync(dirname(CACHE_FILE), { recursive: true });
  writeFileSync(CACHE_FILE, JSON.stringify(nextCache));
  return results;
}
