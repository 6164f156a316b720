import { DomUtils, parseDocument } from 'htmlparser2';

export type XmlNodes = ReturnType<typeof parseDocument>['children'];

/** The name of an element or attribute without its namespace prefix, which each file chooses. */
export const localName = (name: string) => name.slice(name.indexOf(':') + 1);

/** Value of the attribute with this local name; empty if it is missing. */
export const findAttributeValue = (attributes: Record<string, string>, name: string): string =>
  Object.entries(attributes).find(([key]) => localName(key) === name)?.[1] ?? '';

/** A missing part has no nodes. External entities are not resolved. */
export const parseXml = (bytes: Buffer | null): XmlNodes =>
  parseDocument(bytes?.toString('utf8') ?? '', { xmlMode: true }).children;

/** Finds elements at any depth, in document order. */
export const findElementsByLocalName = (nodes: XmlNodes, ...names: string[]) =>
  DomUtils.findAll(({ name }) => names.includes(localName(name)), nodes);
