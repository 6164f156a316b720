import { route } from '#platform/server/http/route.ts';
import { listNearCopies } from './list-near-copies.ts';
import { listNearCopiesOfUploads } from './list-near-copies-of-uploads.ts';
import { mergeDocuments } from './merge-documents.ts';
import { nearCopyApi } from './near-copy.contract.ts';

export const nearCopyRoutes = [
  route(nearCopyApi.list, listNearCopies),
  route(nearCopyApi.listOfUploads, listNearCopiesOfUploads),
  route(nearCopyApi.merge, mergeDocuments),
];
