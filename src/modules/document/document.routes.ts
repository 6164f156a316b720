import { csvExportRoute } from '#modules/audit/csv-export-route.ts';
import type { Context } from '#platform/server/context.ts';
import { type Route, route } from '#platform/server/http/route.ts';
import { countView, recordDocumentView } from './count-view.ts';
import { createDocuments } from './create-documents.ts';
import { deleteDocuments } from './delete-documents.ts';
import { documentApi } from './document.contract.ts';
import { documentFileApi } from './document-file.contract.ts';
import { documentExport, recycleExport } from './export-documents.ts';
import { findSuccessor } from './find-successor.ts';
import { getDocument, getDocumentProgress } from './get-document.ts';
import { listConversionQueue } from './list-conversion-queue.ts';
import { listDocuments } from './list-documents.ts';
import { listHomeDocuments } from './list-home-documents.ts';
import { listReplacedFonts } from './list-replaced-fonts.ts';
import { manageDocumentApi } from './manage.contract.ts';
import { categorizeDocuments, recommendDocuments } from './recommend-and-categorize-documents.ts';
import { reconvertDocuments } from './reconvert-documents.ts';
import { clearRecycle, eraseDocuments } from './recycle/erase-documents.ts';
import { listRecycle } from './recycle/list-recycle.ts';
import { restoreDocuments } from './recycle/restore-documents.ts';
import { recycleApi } from './recycle.contract.ts';
import { replaceFile } from './replace-file.ts';
import { createReviewDownloadLink } from './review/review-download-link.ts';
import { reviewDocuments } from './review-documents.ts';
import { successorApi } from './successor.contract.ts';
import { unlockDocument } from './unlock-document.ts';
import { updateDocument } from './update-document.ts';

type Row = Awaited<ReturnType<typeof getDocument>>;
/** Provided by the app, because the reading module depends on this one. */
type Hooks = { withPreview: <R extends Row>(ctx: Context, rows: R[]) => Promise<R[]> };

export const documentRoutes = ({ withPreview }: Hooks): Route[] => [
  route(documentApi.list, async (ctx, input) => {
    const { total, document } = await listDocuments(ctx, input);
    return { total, document: await withPreview(ctx, document) };
  }),
  csvExportRoute(documentApi.list, listDocuments, documentExport),
  route(documentApi.home, listHomeDocuments),
  route(
    documentApi.get,
    async (ctx, input) => {
      const document = await getDocument(ctx, input);
      const [row = document] = await withPreview(ctx, [document]);
      return row;
    },
    async (ctx, { with_author }, document) => {
      if (with_author) await countView(ctx, document);
    },
  ),
  route(successorApi.find, findSuccessor),
  route(documentApi.progress, getDocumentProgress),
  route(documentApi.view, recordDocumentView),
  route(documentApi.create, createDocuments),
  route(documentApi.update, updateDocument),
  route(documentApi.remove, deleteDocuments),
  route(documentFileApi.unlock, unlockDocument),
  route(documentFileApi.replace, replaceFile),
  route(documentFileApi.fonts, listReplacedFonts),
  route(manageDocumentApi.queue, listConversionQueue),
  route(manageDocumentApi.reviewDownload, createReviewDownloadLink),
  route(manageDocumentApi.recommend, recommendDocuments),
  route(manageDocumentApi.check, reviewDocuments),
  route(manageDocumentApi.reconvert, reconvertDocuments),
  route(manageDocumentApi.categorize, categorizeDocuments),
  route(recycleApi.list, listRecycle),
  csvExportRoute(recycleApi.list, listRecycle, recycleExport),
  route(recycleApi.restore, restoreDocuments),
  route(recycleApi.erase, eraseDocuments),
  route(recycleApi.clear, clearRecycle),
];
