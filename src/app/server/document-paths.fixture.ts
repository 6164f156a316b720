/** Public endpoints that name a document; the parameter `id=` follows. */
export const documentPaths = [
  '/document?',
  '/document/layout?',
  '/document/pages?',
  '/document/text?',
  '/document/words?page=1&',
  '/document/find?wd=1&',
  '/document/sharp?page=1&',
  '/document/watermark?',
  '/document/related?',
  '/document/purchase?',
  '/document/download?',
  '/comment/list?document_',
];
