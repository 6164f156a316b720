import { route } from '#platform/server/http/route.ts';
import { getRecognitionProgress } from './get-recognition-progress.ts';
import { listRecognitionQueue } from './list-recognition-queue.ts';
import { recognitionApi } from './recognition.contract.ts';
import { retryRecognition } from './retry-recognition.ts';

export const recognitionRoutes = [
  route(recognitionApi.progress, getRecognitionProgress),
  route(recognitionApi.queue, listRecognitionQueue),
  route(recognitionApi.retry, retryRecognition),
];
