import { route } from '#platform/server/http/route.ts';
import { listRelatedDocuments } from './list-related-documents.ts';
import { relatedApi } from './related.contract.ts';

export const relatedRoutes = [route(relatedApi.list, listRelatedDocuments)];
