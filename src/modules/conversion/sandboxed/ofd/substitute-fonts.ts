import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FANDOL_FOLDER, FONT_FOLDER } from '../../font-folders.ts';
import { HEAVY_FAMILY, KAI_FAMILY, SANS_FAMILY } from '../system-fonts.ts';
import { type GlyphFont, openGlyphFont } from './glyph-font.ts';
import type { OfdFont } from './resources.ts';

type Face = { file: string; face?: string };
type Family = { name: string; regular: Face; bold?: Face; italic?: Face; boldItalic?: Face };

/** A collection of Noto CJK with the face of one language. */
const noto = (style: 'Sans' | 'Serif', language: 'SC' | 'TC'): Family => {
  const face = (weight: string): Face => ({
    file: `Noto${style}CJK-${weight}.ttc`,
    face: `Noto${style}CJK${language.toLowerCase()}-${weight}`,
  });
  return { name: `Noto ${style} CJK ${language}`, regular: face('Regular'), bold: face('Bold') };
};
const latin = (name: string): Family => {
  const file = (style: string): Face => ({ file: `${name.replaceAll(' ', '')}-${style}.ttf` });
  return { name, regular: file('Regular'), bold: file('Bold'), italic: file('Italic'), boldItalic: file('BoldItalic') };
};

const SERIF = noto('Serif', 'SC');
const SANS = noto('Sans', 'SC');
const KAI: Family = { name: 'AR PL UKai CN', regular: { file: 'ukai.ttc', face: 'UKaiCN' } };
const FANG: Family = { name: 'FandolFang R', regular: { file: 'FandolFang-Regular.otf' } };
const SYMBOLS: Family = { name: 'DejaVu Sans', regular: { file: 'DejaVuSans.ttf' } };

/** The nearest families for the names of fonts, the first match counts; fonts.conf has the same choices for programs. */
const familiesByName: [pattern: RegExp, families: Family[]][] = [
  [/courier|consolas|mono|lucida console/i, [latin('Liberation Mono')]],
  [/calibri|carlito/i, [latin('Carlito'), latin('Liberation Sans')]],
  [/cambria|caladea/i, [latin('Caladea'), latin('Liberation Serif')]],
  [/arial|helvetica|verdana|tahoma|segoe|trebuchet|aptos|century gothic/i, [latin('Liberation Sans')]],
  [/times|georgia|garamond|palatino|bookman|century|constantia/i, [latin('Liberation Serif')]],
  [/dfkai|biaukai|標楷/i, [{ name: 'AR PL UKai TW', regular: { file: 'ukai.ttc', face: 'UKaiTW' } }]],
  [/jhenghei|正黑|PingFang TC/i, [noto('Sans', 'TC')]],
  [/mingliu|明體|明体/i, [noto('Serif', 'TC')]],
  [/fang ?song|仿宋/i, [FANG, SERIF]],
  [KAI_FAMILY, [KAI]],
  [SANS_FAMILY, [SANS]],
];

/** Opened when a character needs it, because a font of Chinese has 20 MB. */
export type SubstituteFont = { family: string; open(): GlyphFont | null };

/** Fonts of the system that stand in for fonts that are not embedded. */
export function createSubstituteFonts() {
  const files = listFontFiles();
  const openedFaces = new Map<string, GlyphFont | null>();
  /** The faces of a collection share its bytes. */
  const bytesOfFiles = new Map<string, Buffer>();
  const readFont = (location: string): Buffer => {
    const bytes = bytesOfFiles.get(location) ?? readFileSync(location);
    bytesOfFiles.set(location, bytes);
    return bytes;
  };
  const openFace = ({ file, face }: Face): GlyphFont | null => {
    const key = `${file} ${face}`;
    const location = files.get(file);
    if (!openedFaces.has(key)) openedFaces.set(key, location ? openGlyphFont(readFont(location), face) : null);
    return openedFaces.get(key) ?? null;
  };
  return {
    /** The nearest installed fonts for a font, best first; characters missing in one are drawn with the next. */
    find({ name, family, isBold, isItalic }: OfdFont, style: { isBold: boolean; isItalic: boolean }): SubstituteFont[] {
      const names = `${name} ${family}`;
      const bold = isBold || style.isBold || HEAVY_FAMILY.test(names) || /bold|heavy|black/i.test(names);
      const italic = isItalic || style.isItalic || /italic|oblique/i.test(names);
      const preferredFamilies = familiesByName.find(([pattern]) => pattern.test(names))?.[1] ?? [];
      const families = new Set([...preferredFamilies, SANS_FAMILY.test(names) ? SANS : SERIF, SERIF, SANS, SYMBOLS]);
      return [...families].map((candidate) => ({
        family: candidate.name,
        open: () => openFace(chooseFace(candidate, bold, italic)),
      }));
    },
  };
}

const chooseFace = ({ regular, bold, italic, boldItalic }: Family, isBold: boolean, isItalic: boolean): Face =>
  (isBold && isItalic ? boldItalic : isBold ? bold : isItalic ? italic : regular) ?? (isBold ? bold : null) ?? regular;

/** Paths of the installed fonts by their file names. */
export const listFontFiles = (folders: readonly string[] = [FANDOL_FOLDER, FONT_FOLDER]): Map<string, string> =>
  new Map(
    folders
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
          (entry) => [path.basename(entry), path.join(folder, entry)] as const,
        ),
      ),
  );
