import { Parser } from 'htmlparser2';
import { decodeMarkup } from '../../detect/markup-encoding.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { localName } from '../xml-elements.ts';

/** The tree of a part is in memory; the elements of a full page of text are about a thousand. */
const MAX_ELEMENTS = 300_000;
/** Deeper than any sensible document, and far from the limit of recursive functions. */
const MAX_DEPTH = 200;

export type XmlElement = {
  /** Without its namespace prefix. */
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Text directly within the element. */
  text: string;
};

/** Returns the root element; null without one. Entities of a document type are not expanded. */
export function parseXmlTree(bytes: Buffer): XmlElement | null {
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const openElements = [document];
  let elements = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements++;
        if (elements > MAX_ELEMENTS) throw new RejectedFileError('tooLarge', 'too many elements');
        if (openElements.length > MAX_DEPTH) throw new RejectedFileError('nested');
        const element = { name: localName(name), attributes, children: [], text: '' };
        openElements.at(-1)?.children.push(element);
        openElements.push(element);
      },
      ontext(text) {
        const element = openElements.at(-1);
        if (element) element.text += text;
      },
      onclosetag() {
        openElements.pop();
      },
    },
    { xmlMode: true },
  );
  parser.end(decodeMarkup(bytes));
  return document.children[0] ?? null;
}

export const findChild = (element: XmlElement | null | undefined, name: string): XmlElement | null =>
  element?.children.find((child) => child.name === name) ?? null;

export const findChildren = (element: XmlElement | null | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** Trimmed text of a child element; empty if it is missing. */
export const childText = (element: XmlElement | null | undefined, name: string): string =>
  findChild(element, name)?.text.trim() ?? '';

/** The last child element at the end of a path of names. */
export const findDescendant = (element: XmlElement | null, ...names: string[]): XmlElement | null =>
  names.reduce<XmlElement | null>(findChild, element);
