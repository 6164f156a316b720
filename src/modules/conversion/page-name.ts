/** Names of pages have five digits, in the storage and in addresses. */
const DIGITS = 5;
export const MAX_PAGES = 10 ** DIGITS - 1;

/** What the files of a page are called, so that they lie in order. */
export const pageName = (page: number): string => String(page).padStart(DIGITS, '0');
