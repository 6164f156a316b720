import { DomUtils, parseDocument } from 'htmlparser2';
import { type Attributes, type HidingRules, isHiddenByStyle, parseHidingRules } from './hiding-rules.ts';
import { readStyleSheets } from './style-sheets.ts';

/** Elements whose text no browser shows as part of the page. */
const unreadableElements = new Set(
  'head script style title xml iframe object embed noframes noscript template textarea select'.split(' '),
);

/** A number in the text that refers to a comment. */
const COMMENT_ANCHOR = /(?:^|\s)msocomanchor(?:\s|$)/i;

/** Text that Word marks as deleted, with its author; other pages use the element to strike text out. */
const isTrackedDeletion = (name: string, cite = '') => name === 'del' && /^mailto:/i.test(cite);

/** Tells by the rules of a page which elements are not part of what a reader sees. */
export function leftOutTest(html: string): (name: string, attributes: Attributes) => boolean {
  const rules = parseHidingRules(readStyleSheets(html));
  return (name, attributes) => isLeftOut(name, attributes, rules);
}

/** Hidden by its author, a comment, or a tracked deletion. */
const isLeftOut = (name: string, attributes: Attributes, rules: HidingRules): boolean =>
  unreadableElements.has(name) ||
  attributes.hidden !== undefined ||
  isHiddenByStyle(name, attributes, rules) ||
  COMMENT_ANCHOR.test(attributes.class ?? '') ||
  isTrackedDeletion(name, attributes.cite);

/** The body of a page without the elements that its author has hidden. */
export function removeHiddenHtml(html: string): string {
  const isElementLeftOut = leftOutTest(html);
  const document = parseDocument(html);
  const leftOut = DomUtils.findAll(({ name, attribs }) => isElementLeftOut(name, attribs), document.children);
  for (const element of leftOut) DomUtils.removeElement(element);
  return DomUtils.getOuterHTML(document, { encodeEntities: 'utf8' });
}
