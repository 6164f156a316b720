import type { DemoDocument } from '../demo-document.ts';
import { lifeArticles } from './articles-life.ts';
import { officeArticles } from './articles-office.ts';
import { studyArticles } from './articles-study.ts';
import { techArticles } from './articles-tech.ts';
import { workArticles } from './articles-work.ts';
import { books } from './books.ts';
import { studyDecks } from './decks-study.ts';
import { workDecks } from './decks-work.ts';
import { sheets } from './sheets.ts';
import { texts } from './texts.ts';
import { moreTexts } from './texts-more.ts';

/** The whole demo library: every type of document there is. */
export const library: DemoDocument[] = [
  ...[...studyArticles, ...workArticles, ...officeArticles],
  ...[...studyDecks, ...workDecks],
  ...[...sheets, ...texts, ...moreTexts, ...books],
  ...[...lifeArticles, ...techArticles],
];
