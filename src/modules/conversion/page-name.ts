/** Page names have five digits in the storage and in URLs. */
const PAGE_NAME_DIGITS = 5;
export const MAX_PAGES = 10 ** PAGE_NAME_DIGITS - 1;

/** Fixed width, so that file names sort by page. */
export const pageName = (page: number): string => String(page).padStart(PAGE_NAME_DIGITS, '0');
