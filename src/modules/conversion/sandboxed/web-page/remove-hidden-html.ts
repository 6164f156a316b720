import { DomUtils, parseDocument } from 'htmlparser2';
import { type ElementAttributes, type HidingRules, isHiddenByStyle, parseHidingRules } from './hiding-rules.ts';
import { readStyleSheets } from './style-sheets.ts';

/** Elements whose text no browser shows in the page. */
const unreadableElements = new Set(
  'head script style title xml iframe object embed noframes noscript template textarea select'.split(' '),
);

/** Class of the number in the text that refers to a comment. */
const COMMENT_ANCHOR = /(?:^|\s)msocomanchor(?:\s|$)/i;

/** Word marks deleted text with its author; other pages use the element to strike text out. */
const isTrackedDeletion = (name: string, cite = '') => name === 'del' && /^mailto:/i.test(cite);

/**
 * Returns a predicate for elements that readers do not see, by the style sheets of the page. Rows and columns of size 0 are
 * hidden in Excel only.
 */
export function createHiddenElementPredicate(
  styleSheets: string[],
  view: 'flow' | 'sheet',
): (name: string, attributes: ElementAttributes) => boolean {
  const rules = parseHidingRules(styleSheets, view);
  return (name, attributes) => isHiddenElement(name, attributes, rules);
}

/** Hidden elements, comments and tracked deletions. */
const isHiddenElement = (name: string, attributes: ElementAttributes, rules: HidingRules): boolean =>
  unreadableElements.has(name) ||
  attributes.hidden !== undefined ||
  isHiddenByStyle(name, attributes, rules) ||
  COMMENT_ANCHOR.test(attributes.class ?? '') ||
  isTrackedDeletion(name, attributes.cite);

export function removeHiddenHtml(html: string): string {
  const isHidden = createHiddenElementPredicate(readStyleSheets(html), 'flow');
  const document = parseDocument(html);
  const hiddenElements = DomUtils.findAll(({ name, attribs }) => isHidden(name, attribs), document.children);
  for (const element of hiddenElements) DomUtils.removeElement(element);
  return DomUtils.getOuterHTML(document, { encodeEntities: 'utf8' });
}
