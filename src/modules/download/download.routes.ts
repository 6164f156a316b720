import { route } from '#platform/server/http/route.ts';
import { downloadApi } from './download.contract.ts';
import { downloadDocument, getDownloadOffer } from './download-document.ts';
import { listDownloads } from './list-downloads.ts';

export const downloadRoutes = [
  route(downloadApi.get, downloadDocument),
  route(downloadApi.offer, getDownloadOffer),
  route(downloadApi.list, listDownloads),
];
