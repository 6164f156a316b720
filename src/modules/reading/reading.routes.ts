import { route } from '#platform/server/http/route.ts';
import { findInDocument } from './find-in-document.ts';
import { plainTextApi } from './plain-text.contract.ts';
import { readHiResPage } from './read-hi-res-page.ts';
import { readLayout } from './read-layout.ts';
import { readPages } from './read-pages.ts';
import { readPlainText } from './read-plain-text.ts';
import { readWords } from './read-words.ts';
import { readingApi } from './reading.contract.ts';

export const readingRoutes = [
  route(readingApi.layout, readLayout),
  route(readingApi.pages, readPages),
  route(readingApi.hiResPage, readHiResPage),
  route(readingApi.words, readWords),
  route(readingApi.find, findInDocument),
  route(plainTextApi.text, readPlainText),
];
