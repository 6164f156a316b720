import { breadcrumbJsonLd, type ToAbsoluteUrl } from '#modules/settings/web/page-head.tsx';
import type { Document } from '../document.contract.ts';

const BOOK_EXTENSIONS = ['.epub', '.mobi', '.chm', '.umd'];

/** Structured data (schema.org) of a document and its breadcrumb. */
export function buildStructuredData(document: Document, absolute: ToAbsoluteUrl): object[] {
  const { id, title, description, keywords, cover, ext, pages, score, score_count } = document;
  const isBook = BOOK_EXTENSIONS.includes(ext);
  const path = `/document/${id}`;
  const breadcrumb = document.category.map((each) => ({
    title: each.title,
    path: `/category/${each.id}`,
  }));
  return [
    {
      '@type': isBook ? 'Book' : 'DigitalDocument',
      name: title,
      url: absolute(path),
      ...(description && { description }),
      ...(keywords && { keywords }),
      ...(cover && { image: absolute(cover) }),
      author: {
        '@type': 'Person',
        name: document.username,
        url: absolute(`/user/${document.user_id}`),
      },
      datePublished: document.created_at,
      dateModified: document.updated_at,
      ...(document.language && { inLanguage: document.language }),
      ...(isBook && pages > 0 && { numberOfPages: pages }),
      isAccessibleForFree: document.price === 0,
      ...(score_count > 0 && {
        aggregateRating: {
          '@type': 'AggregateRating',
          ratingValue: score / 100,
          ratingCount: score_count,
          bestRating: 5,
        },
      }),
    },
    breadcrumbJsonLd(absolute, [...breadcrumb, { title, path }]),
  ];
}
