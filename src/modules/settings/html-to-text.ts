import sanitizeHtml from 'sanitize-html';

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** Removes markup from a text that may contain HTML; line breaks and paragraphs become lines. */
export function htmlToText(html: string): string {
  const withLineBreaks = html.replace(/<br\s*\/?>|<\/(p|div|h[1-6]|li|tr)\s*>/gi, '\n');
  return sanitizeHtml(withLineBreaks, { allowedTags: [], allowedAttributes: {} })
    .replace(/&(lt|gt|amp|quot);/g, (_, name: string) => entities[name] ?? '')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
