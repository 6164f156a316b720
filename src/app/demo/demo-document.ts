import type { DemoCover } from './cover-design.ts';

export type DemoCell = string | number;
export type DemoSheet = { name: string; rows: DemoCell[][] };

export type DemoContent =
  | { kind: 'article'; cover: DemoCover; body: string; layout: 'prose' | 'poems' }
  | { kind: 'deck'; cover: DemoCover; body: string }
  | { kind: 'book'; cover: DemoCover; body: string }
  | { kind: 'workbook'; sheets: DemoSheet[] }
  | { kind: 'text'; encoding: 'utf-8' | 'utf-16le' | 'gb18030' | 'big5'; text: string };

export type DemoDocument = {
  title: string;
  extension: string;
  /** Category titles from the root down. */
  category: string[];
  /** Index in the list of demo users. */
  owner: number;
  price: number;
  /** Number of pages that can be read without buying; 0 for all. */
  preview: number;
  isRecommended: boolean;
  daysAgo: number;
  keywords: string;
  description: string;
  content: DemoContent;
};
