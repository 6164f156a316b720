import { route } from '#platform/server/http/route.ts';
import { relatedDocuments } from './list-related-documents.ts';
import { relatedApi } from './related.contract.ts';

export const relatedRoutes = [route(relatedApi.list, relatedDocuments)];
