import type { Context } from '#platform/server/context.ts';
import { openSearchEngine } from './opensearch/opensearch-engine.ts';
import { postgresEngine } from './postgres/postgres-engine.ts';
import type { SearchEngine } from './search-engine.ts';

/** OpenSearch if SEARCH_URL is set, else PostgreSQL. */
export const selectSearchEngine = ({ config }: Context): SearchEngine =>
  config.searchUrl ? openSearchEngine : postgresEngine;
