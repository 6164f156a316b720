import { route } from '#platform/server/http/route.ts';
import { relatedApi } from './related.contract.ts';
import { relatedDocuments } from './related.ts';

export const relatedRoutes = [route(relatedApi.list, relatedDocuments)];
