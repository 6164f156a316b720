import { route } from '#platform/server/http/route.ts';
import { listNearCopies } from './list-near-copies.ts';
import { mergeDocuments } from './merge-documents.ts';
import { nearCopyApi } from './near-copy.contract.ts';

export const nearCopyRoutes = [route(nearCopyApi.list, listNearCopies), route(nearCopyApi.merge, mergeDocuments)];
