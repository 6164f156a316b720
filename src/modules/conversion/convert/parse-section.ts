import type { FileHandle } from 'node:fs/promises';
import { allowedAttributes, allowedTags } from '../sandboxed/flow/allowed-html.ts';
import { type Section, section } from '../section.ts';
import { rejectionError } from './conversion-errors.ts';

const MAX_SECTION_BYTES = 16 * 1024 * 1024;

/** Reads a section that a sandboxed program wrote. Browsers render it as HTML, so the file is not trusted. */
export async function parseSection(file: FileHandle): Promise<Section> {
  if ((await file.stat()).size > MAX_SECTION_BYTES) throw rejectionError('tooLarge');
  const { html, ...rest } = parseSectionJson(await file.readFile('utf8'));
  return { ...rest, ...(html !== undefined && { html: escapeForbiddenHtml(html) }) };
}

function parseSectionJson(json: string): Section {
  try {
    return section.parse(JSON.parse(json));
  } catch {
    throw rejectionError('damaged');
  }
}

const allowedTagNames = new Set(allowedTags);
const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"]*")?){0,9})>|</g;
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g;

/**
 * Returns the HTML of the sandboxed converter unchanged and escapes any other tag. A repairing HTML parser would take
 * minutes for a megabyte of malicious markup.
 */
const escapeForbiddenHtml = (html: string): string =>
  html.replace(TAG, (match: string, slash = '', name = '', attributes = '') => {
    if (!allowedTagNames.has(name)) return match.replaceAll('<', '&lt;');
    const allowedMarkup = slash
      ? ''
      : attributes.replace(ATTRIBUTE, (attributeMarkup: string, attribute: string, value = '') =>
          isAllowedAttribute(name, attribute, value) ? attributeMarkup : '',
        );
    return `<${slash}${name}${allowedMarkup}>`;
  });

/** Attributes that the sandboxed converter adds to the HTML of a book. */
const addedAttributes: Record<string, RegExp> = {
  'a data-at': /^[01]\.\d{3}$/,
  'p class': /^spaced$/,
};
const valuePatterns: Record<string, RegExp> = {
  'a href': /^(?:#p=\d+$|https?:|mailto:)/i,
  'img src': /^i\/[0-9a-f]{32}\.webp$/,
};

function isAllowedAttribute(tag: string, attribute: string, value: string): boolean {
  const name = `${tag} ${attribute}`;
  if (addedAttributes[name]) return addedAttributes[name].test(value);
  return (allowedAttributes[tag] ?? []).includes(attribute) && (valuePatterns[name]?.test(value) ?? true);
}
