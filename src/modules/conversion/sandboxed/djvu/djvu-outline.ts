import type { PdfOutlineItem } from '../pdf-writer/pdf-outline.ts';
import type { DjvuExpression } from './djvu-expressions.ts';

/** The table of contents from the expression (bookmarks ("title" "#page" …) …). */
export function readDjvuOutline(
  expressions: DjvuExpression[],
  pageOfId: ReadonlyMap<string, number>,
): PdfOutlineItem[] {
  const [bookmarks] = expressions;
  return Array.isArray(bookmarks) ? bookmarks.slice(1).flatMap((item) => readItem(item, pageOfId)) : [];
}

function readItem(expression: DjvuExpression, pageOfId: ReadonlyMap<string, number>): PdfOutlineItem[] {
  if (!Array.isArray(expression)) return [];
  const [title, target, ...children] = expression;
  const id = readText(target).replace(/^#/, '');
  const page = pageOfId.get(id) ?? Number(id);
  return [
    {
      title: readText(title),
      page: Number.isInteger(page) ? page : 0,
      children: children.flatMap((child) => readItem(child, pageOfId)),
    },
  ];
}

const readText = (expression: DjvuExpression | undefined): string =>
  expression && typeof expression === 'object' && 'text' in expression ? expression.text : '';
