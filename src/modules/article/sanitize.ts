import sanitizeHtml from 'sanitize-html';
import { isUploadPath } from '#platform/server/storage/upload-path.ts';

const HERE = 'http://here.invalid';
const blocks = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'th'];

/** Where a link leads; null when it may not be followed. */
function target(href: string | undefined): { href: string; isOutside: boolean } | null {
  const text = href?.trim() ?? '';
  const url = URL.parse(text, HERE);
  if (!text || !url) return null;
  if (url.protocol === 'mailto:') return { href: text, isOutside: false };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.origin === HERE) return { href: text, isOutside: false };
  // "//host" and "/\host" look like paths of the site and lead elsewhere.
  return /^https?:\/\//i.test(text) ? { href: text, isOutside: true } : null;
}

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code'],
    ...['ul', 'ol', 'li', 'a', 'img', 'figure', 'figcaption'],
    ...['strong', 'b', 'em', 'i', 'u', 's', 'del', 'sub', 'sup', 'span'],
    ...['table', 'caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    th: ['colspan', 'rowspan', 'style'],
    td: ['colspan', 'rowspan', 'style'],
    ...Object.fromEntries(blocks.slice(0, 7).map((tag) => [tag, ['style']])),
  },
  allowedStyles: { '*': { 'text-align': [/^(left|right|center|justify)$/] } },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: [] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  // Their text is code or input, not prose.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'template', 'svg', 'math'],
  nestingLimit: 60,
  transformTags: {
    a: (tagName, { href, title }) => {
      const found = target(href);
      const attribs: sanitizeHtml.Attributes = {
        ...(found && { href: found.href }),
        ...(title && { title }),
        ...(found?.isOutside && { target: '_blank', rel: 'noopener noreferrer' }),
      };
      return { tagName, attribs };
    },
  },
  // Pictures from elsewhere would tell others who reads here, and may change.
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isUploadPath(attribs.src ?? ''),
};

/** Keeps what a text needs and nothing that could act. */
export const sanitizeArticle = (html: string): string => sanitizeHtml(html, options).trim();

/** Addresses of the pictures in sanitized text. */
export function picturesIn(html: string): string[] {
  return [...html.matchAll(/<img\b[^>]*?\ssrc="([^"]*)"/g)].map(([, src = '']) => src);
}
