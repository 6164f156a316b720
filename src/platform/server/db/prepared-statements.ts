import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A prepared statement takes memory on every connection, so only frequent texts are prepared, and not too many. */
const MIN_USES = 5;
const MAX_PREPARED = 100;
const MAX_COUNTED_TEXTS = 1_000;
const MAX_TEXT_LENGTH = 20_000;

/** Chooses the SQL texts to prepare. Parsing and planning a query takes longer than running most queries of requests. */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const useCounts = new LRUCache<string, number>({ max: MAX_COUNTED_TEXTS });
  return (text) => {
    const name = names.get(text);
    if (name || names.size >= MAX_PREPARED || text.length > MAX_TEXT_LENGTH || !text.includes('$1')) return name;
    const count = (useCounts.get(text) ?? 0) + 1;
    useCounts.set(text, count);
    if (count >= MIN_USES) names.set(text, `s${createHash('sha1').update(text).digest('base64url')}`);
    return names.get(text);
  };
}

/** A migration on another node changed a table, and a connection still has a plan for the old columns. */
export const isOutdatedPlan = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '0A000' && /cached plan/.test(String((error as Error).message));
