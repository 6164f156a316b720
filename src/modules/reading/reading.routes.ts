import { route } from '#platform/server/http.ts';
import { readPages } from './read-pages.ts';
import { readingApi } from './reading.contract.ts';

export const readingRoutes = [route(readingApi.pages, readPages)];
