import sanitizeHtml from 'sanitize-html';
import { isPictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';

const SITE_PLACEHOLDER = 'http://here.invalid';
const blocks = ['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'td', 'th'];

/** Checks the target of a link; null when it is not allowed. */
function classifyLink(href: string | undefined): { href: string; isExternal: boolean } | null {
  const text = href?.trim() ?? '';
  const url = URL.parse(text, SITE_PLACEHOLDER);
  if (!text || !url) return null;
  if (url.protocol === 'mailto:') return { href: text, isExternal: false };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (url.origin === SITE_PLACEHOLDER) return { href: text, isExternal: false };
  // "//host" and "/\host" look like paths of the site but lead to another one.
  return /^https?:\/\//i.test(text) ? { href: text, isExternal: true } : null;
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
  // The text of these elements is code or form input.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'noscript', 'title', 'template', 'svg', 'math'],
  nestingLimit: 60,
  transformTags: {
    a: (tagName, { href, title }) => {
      const link = classifyLink(href);
      const attribs: sanitizeHtml.Attributes = {
        ...(link && { href: link.href }),
        ...(title && { title }),
        ...(link?.isExternal && { target: '_blank', rel: 'noopener noreferrer' }),
      };
      return { tagName, attribs };
    },
  },
  // Pictures of other sites would reveal readers to these sites, and may change.
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isPictureUploadPath(attribs.src ?? ''),
};

/** Keeps text formatting, links and uploaded pictures; removes scripts and everything else. */
export const sanitizeArticle = (html: string): string => sanitizeHtml(html, options).trim();

/** `src` values of the pictures in sanitized HTML. */
export function pictureUrlsOf(html: string): string[] {
  return [...html.matchAll(/<img\b[^>]*?\ssrc="([^"]*)"/g)].map(([, src = '']) => src);
}
