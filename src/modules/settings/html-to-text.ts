import sanitizeHtml from 'sanitize-html';

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** The words of a text that may have been written as HTML; its lines and paragraphs stay lines. */
export function htmlToText(written: string): string {
  const lined = written.replace(/<br\s*\/?>|<\/(p|div|h[1-6]|li|tr)\s*>/gi, '\n');
  return sanitizeHtml(lined, { allowedTags: [], allowedAttributes: {} })
    .replace(/&(lt|gt|amp|quot);/g, (_, name: string) => entities[name] ?? '')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
