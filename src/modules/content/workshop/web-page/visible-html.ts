import { DomUtils, parseDocument } from 'htmlparser2';

type Attributes = Record<string, string>;

/** Hidden by its author: by an attribute, by its style, or by Word. */
export const isHiddenElement = ({ hidden, style = '' }: Attributes): boolean =>
  hidden !== undefined ||
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|mso-hide\s*:\s*all)/i.test(
    style,
  );

/** Elements whose text no browser shows as part of the page. */
export const unreadableElements = new Set(
  'head script style title xml iframe object embed noframes noscript template textarea select'.split(
    ' ',
  ),
);

/** The body of a page without the elements that its author has hidden. */
export function visibleHtml(html: string): string {
  const document = parseDocument(html);
  const isLeftOut = ({ name, attribs }: { name: string; attribs: Attributes }) =>
    unreadableElements.has(name) || isHiddenElement(attribs);
  for (const element of DomUtils.findAll(isLeftOut, document.children))
    DomUtils.removeElement(element);
  return DomUtils.getOuterHTML(document, { encodeEntities: 'utf8' });
}
