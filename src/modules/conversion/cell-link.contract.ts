import * as z from 'zod/mini';
import { count } from '#platform/contract/shapes.ts';

const MAX_LINK_LENGTH = 2_000;
const LINK_URL = /^(?:https?:\/\/|mailto:)[^\s<>"]+$/i;

/** Links of a document lead to web pages and mail addresses only. */
export const isAllowedLinkUrl = (url: string): boolean => url.length <= MAX_LINK_LENGTH && LINK_URL.test(url);

/** Row (zero-based, within the section), column and URL of each cell with a link. */
export const sectionLinks = z.array(z.tuple([count, count, z.string()]));
/** Row and column of each cell with a link to another cell, whose sheet, row and column among the visible ones follow. */
export const sectionCellLinks = z.array(z.tuple([count, count, count, count, count]));
