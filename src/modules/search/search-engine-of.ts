import type { Context } from '#platform/server/context.ts';
import { openSearchEngine } from './opensearch/opensearch-engine.ts';
import { postgresEngine } from './postgres/postgres-engine.ts';
import type { SearchEngine } from './search-engine.ts';

/** The engine of this site: a cluster where one is named, else the database. */
export const searchEngineOf = ({ config }: Context): SearchEngine =>
  config.searchUrl ? openSearchEngine : postgresEngine;
