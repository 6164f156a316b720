import { defineConfig } from 'vitest/config';

/** Only for `npm run test:opensearch`, which starts the cluster that SEARCH_URL then names. */
export default defineConfig({
  test: {
    include: [
      'src/modules/search/{golden-queries,search-documents,search-twins,search-terms,search-phrases,searchable-fields,malicious-queries,search-outage}.test.ts',
    ],
    globalSetup: ['src/testing/template-database.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 10_000 } },
    provide: { tier: 'quick', searchUrl: process.env.SEARCH_URL ?? '' },
  },
});
