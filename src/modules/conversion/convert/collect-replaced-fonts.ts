import { readFileSync } from 'node:fs';
import { MAX_REPLACED_FONTS, type ReplacedFont, replacedFont } from '../replaced-font.contract.ts';

/** Makes fontconfig print each request of LibreOffice for a font, and the match. */
export const FONT_REQUEST_LOG = { FC_DEBUG: '1' };

/** Fonts of the user interface that LibreOffice requests for every document. */
const INTERFACE_FONTS = new Set(['Segoe UI', 'Tahoma', 'Lohit Hindi', 'DejaVu Sans']);
/** LibreOffice draws their characters with a font of its own. */
const SYMBOL_FONT = /^(?:Wingdings|Webdings|Symbol|Marlett)/;
const ALIAS = /<alias[^>]*><family>([^<]+)<\/family><prefer>(.*?)<\/prefer>/g;

/** The substitutes of each font name in fonts.conf. */
const substitutesByName: ReadonlyMap<string, string[]> = new Map(
  [...readFileSync(new URL('../fonts.conf', import.meta.url), 'utf8').matchAll(ALIAS)].map(
    ([, name = '', preferredFamilies = '']) => [
      name,
      [...preferredFamilies.matchAll(/<family>([^<]+)/g)].map(([, family = '']) => family),
    ],
  ),
);

/** Collects the replaced fonts from the lines that LibreOffice and fontconfig print. */
export function collectReplacedFonts() {
  const substitutes = new Map<string, string>();
  let block: 'request' | 'match' | null = null;
  let requestedName = '';
  return {
    readLine(line: string): void {
      if (line.startsWith('Match Pattern ')) block = 'request';
      else if (line.startsWith('Best score ')) block = 'match';
      const families = block === null ? null : /^\tfamily: (.*)$/.exec(line)?.[1];
      if (!families) return;
      if (block === 'request') requestedName = findRequestedName(families);
      else addReplacement(substitutes, requestedName, strongFamilies(families)[0] ?? firstFamily(families));
      block = null;
    },
    list: (): ReplacedFont[] =>
      [...substitutes].slice(0, MAX_REPLACED_FONTS).map(([name, substitute]) => ({ name, substitute })),
  };
}

function addReplacement(substitutes: Map<string, string>, name: string, substitute: string): void {
  if (name === substitute || INTERFACE_FONTS.has(name) || SYMBOL_FONT.test(name)) return;
  if (replacedFont.safeParse({ name, substitute }).success) substitutes.set(name, substitute);
}

/** The families before the first weak one: those that fonts.conf prefers, then the requested one. */
const strongFamilies = (families: string): string[] => {
  const names: string[] = [];
  for (const [, name = '', binding] of families.matchAll(/"([^"]*)"\((\w)\)/g)) {
    if (binding !== 's') break;
    names.push(name);
  }
  return names;
};

const firstFamily = (families: string): string => /"([^"]*)"/.exec(families)?.[1] ?? '';

function findRequestedName(families: string): string {
  const names = strongFamilies(families);
  const aliasName = names.find((name, index) => {
    const substitutes = substitutesByName.get(name);
    return (
      substitutes !== undefined &&
      index >= substitutes.length &&
      substitutes.every((family, at) => names[at] === family)
    );
  });
  return aliasName ?? names[0] ?? '';
}
