import { inject } from 'vitest';
import type { Context } from '#platform/server/context.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a real OpenSearch cluster if one was started for the tests, else empty. */
    searchUrl: string;
  }
}

export const engineName = inject('searchUrl') ? 'opensearch' : 'postgres';

/** Gives each test file a separate index. */
export const searchEnv = (): NodeJS.ProcessEnv => {
  const url = inject('searchUrl');
  return url ? { SEARCH_URL: `${url}?index=test-${crypto.randomUUID()}` } : {};
};

/** PostgreSQL triggers apply a change within its transaction; OpenSearch gets it from the indexing job. */
export async function syncSearchEngine(ctx: Context): Promise<void> {
  if (engineName === 'opensearch') await indexQueuedDocuments(ctx);
}
