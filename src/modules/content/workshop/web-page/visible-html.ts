import { DomUtils, parseDocument } from 'htmlparser2';

type Attributes = Record<string, string>;

/** Elements whose text no browser shows as part of the page. */
const unreadableElements = new Set(
  'head script style title xml iframe object embed noframes noscript template textarea select'.split(
    ' ',
  ),
);

/** `mso-hide` is hidden text of Word, `mso-element` the comments of Word and Excel. */
const HIDING_STYLE =
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all|mso-element\s*:\s*comment)/i;

/** A number in the text that refers to a comment. */
const COMMENT_ANCHOR = /(?:^|\s)msocomanchor(?:\s|$)/i;

/** Text that Word marks as deleted, with its author; other pages use the element to strike text out. */
const isTrackedDeletion = (name: string, cite = '') => name === 'del' && /^mailto:/i.test(cite);

/** Not part of what a reader sees: hidden by its author, a comment, or a tracked deletion. */
export const isLeftOut = (name: string, attributes: Attributes): boolean =>
  unreadableElements.has(name) ||
  attributes.hidden !== undefined ||
  HIDING_STYLE.test(attributes.style ?? '') ||
  COMMENT_ANCHOR.test(attributes.class ?? '') ||
  isTrackedDeletion(name, attributes.cite);

/** The body of a page without the elements that its author has hidden. */
export function visibleHtml(html: string): string {
  const document = parseDocument(html);
  const leftOut = DomUtils.findAll(
    ({ name, attribs }) => isLeftOut(name, attribs),
    document.children,
  );
  for (const element of leftOut) DomUtils.removeElement(element);
  return DomUtils.getOuterHTML(document, { encodeEntities: 'utf8' });
}
