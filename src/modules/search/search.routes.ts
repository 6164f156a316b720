import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import { route } from '#platform/server/http/route.ts';
import { getIndexStatus, startFullReindex } from './index-status.ts';
import { queryExport, recordExport, synonymExport } from './log/export-searches.ts';
import { listPopularQueries } from './log/list-popular-queries.ts';
import { recordSearch } from './log/record-search.ts';
import { deleteSearchHistory, listSearchHistory } from './log/search-history.ts';
import { deleteRecords, listQueryStatistics, listRecords } from './log/search-records.ts';
import { getSearchSuggestions } from './query/get-search-suggestions.ts';
import { createSynonym, deleteSynonyms, listSynonyms, updateSynonym } from './query/synonyms.ts';
import { searchApi } from './search.contract.ts';
import { searchAdminApi } from './search-admin.contract.ts';
import { searchDocuments } from './search-documents.ts';

export const searchRoutes = [
  route(searchApi.search, searchDocuments, recordSearch),
  route(searchApi.suggest, getSearchSuggestions),
  route(searchApi.hot, listPopularQueries),
  route(searchApi.history, listSearchHistory),
  route(searchApi.deleteHistory, deleteSearchHistory),
  route(searchAdminApi.records, listRecords),
  csvExportRoute(searchAdminApi.records, listRecords, recordExport),
  route(searchAdminApi.removeRecords, deleteRecords),
  route(searchAdminApi.words, listQueryStatistics),
  csvExportRoute(searchAdminApi.words, listQueryStatistics, queryExport),
  route(searchAdminApi.synonyms, listSynonyms),
  csvExportRoute(searchAdminApi.synonyms, listSynonyms, synonymExport),
  route(searchAdminApi.createSynonym, createSynonym),
  route(searchAdminApi.updateSynonym, updateSynonym),
  route(searchAdminApi.removeSynonyms, deleteSynonyms),
  route(searchAdminApi.index, getIndexStatus),
  route(searchAdminApi.reindex, startFullReindex),
];
