import type { FileHandle } from 'node:fs/promises';
import { allowedAttributes, allowedTags } from '../sandboxed/flow/allowed-html.ts';
import { type Section, section } from '../section.ts';
import { toConversionError } from './conversion-errors.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads a section a program behind the walls has made. Readers get it as HTML, so it is not taken at its word. */
export async function parseSection(file: FileHandle): Promise<Section> {
  if ((await file.stat()).size > MAX_BYTES) throw toConversionError('tooLarge');
  const { html, ...rest } = parse(await file.readFile('utf8'));
  return { ...rest, ...(html !== undefined && { html: onlyAllowed(html) }) };
}

function parse(json: string): Section {
  try {
    return section.parse(JSON.parse(json));
  } catch {
    throw toConversionError('damaged');
  }
}

const tags = new Set(allowedTags);
const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"]*")?){0,9})>|</g;
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g;

/**
 * What the workshop writes stays letter for letter; any other tag becomes text. A parser would do, but
 * one that mends what it reads takes minutes for a megabyte that was made for it.
 */
const onlyAllowed = (html: string): string =>
  html.replace(TAG, (whole: string, slash = '', name = '', attributes = '') => {
    if (!tags.has(name)) return whole.replaceAll('<', '&lt;');
    const kept = slash
      ? ''
      : attributes.replace(ATTRIBUTE, (written: string, attribute: string, value = '') =>
          isAllowed(name, attribute, value) ? written : '',
        );
    return `<${slash}${name}${kept}>`;
  });

/** What the workshop itself writes, beyond what it leaves of a book. */
const own: Record<string, RegExp> = {
  'a data-at': /^[01]\.\d{3}$/,
  'p class': /^spaced$/,
};
const values: Record<string, RegExp> = {
  'a href': /^(?:#p=\d+$|https?:|mailto:)/i,
  'img src': /^i\/[0-9a-f]{32}\.webp$/,
};

function isAllowed(tag: string, attribute: string, value: string): boolean {
  const name = `${tag} ${attribute}`;
  if (own[name]) return own[name].test(value);
  return (allowedAttributes[tag] ?? []).includes(attribute) && (values[name]?.test(value) ?? true);
}
