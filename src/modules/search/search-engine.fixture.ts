import { inject } from 'vitest';
import type { Context } from '#platform/server/context.ts';
import { indexQueuedDocuments } from './index/index-documents.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A real cluster, where one was started for the tests; else empty. */
    searchUrl: string;
  }
}

/** Which engine the tests run on. */
export const engineName = inject('searchUrl') ? 'opensearch' : 'postgres';

/** An index of its own for a test file. */
export const searchEnv = (): NodeJS.ProcessEnv => {
  const url = inject('searchUrl');
  return url ? { SEARCH_URL: `${url}?index=test-${crypto.randomUUID()}` } : {};
};

/** The database knows with the change itself; a cluster is told by the job. */
export async function settle(ctx: Context): Promise<void> {
  if (engineName === 'opensearch') await indexQueuedDocuments(ctx);
}
