import { existsSync, readFileSync } from 'node:fs';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { FONT_FOLDER } from '../font-folders.ts';
import { MAX_REPLACED_FONTS, type ReplacedFont, replacedFont } from '../replaced-font.contract.ts';
import { pdfiumHeap } from './pdfium-heap.ts';

const KAI_FILE = `${FONT_FOLDER}/truetype/arphic/ukai.ttc`;
/** Tags of FPDF_SYSFONTINFO::GetFontData: a whole collection, or the face of the font handle. */
const COLLECTION_TAG = 0x74746366;
/** The struct FPDF_SYSFONTINFO: a version and eight function pointers. */
const STRUCT_BYTES = 36;
const BOLD_WEIGHT = 600;

/** Charsets of PDFium, with the number of their face in a collection of Noto CJK. */
const FACE_OF_CHARSET: Record<number, number> = { 128: 0, 129: 1, 134: 2, 136: 3 };
/** Charsets of PDFium for Chinese, with the number of their face in the collection of AR PL UKai. */
const KAI_FACE_OF_CHARSET: Record<number, number> = { 134: 0, 136: 2 };
export const SANS_FAMILY = /hei|gothic|sans|kaku|dotum|gulim|heiti|黑|圆/i;
export const KAI_FAMILY = /kai(?!n)|楷|隶书|行楷|新魏/i;
export const HEAVY_FAMILY = /xiaobiaosong|小标宋|大标宋|中宋|zhongsong/i;
/** Names of fonts, with the family that is drawn instead, in the order of their first use. */
const replacedFonts = new Map<string, string>();
export const listReplacedFonts = (): ReplacedFont[] =>
  [...replacedFonts]
    .map(([name, substitute]) => ({ name, substitute }))
    .filter((font) => replacedFont.safeParse(font).success)
    .slice(0, MAX_REPLACED_FONTS);

type Face = { file: string; index: number; charset: number };

type Substitute = { family: string; file: string; index: number | undefined };

function chooseSubstitute(name: string, weight: number, charset: number): Substitute {
  const kaiIndex = KAI_FACE_OF_CHARSET[charset];
  if (KAI_FAMILY.test(name) && kaiIndex !== undefined && existsSync(KAI_FILE))
    return { family: 'AR PL UKai', file: KAI_FILE, index: kaiIndex };
  const style = SANS_FAMILY.test(name) ? 'Sans' : 'Serif';
  const isBold = weight >= BOLD_WEIGHT || HEAVY_FAMILY.test(name);
  return {
    family: `Noto ${style} CJK`,
    file: `${FONT_FOLDER}/opentype/noto/Noto${style}CJK-${isBold ? 'Bold' : 'Regular'}.ttc`,
    index: FACE_OF_CHARSET[charset],
  };
}

/**
 * Lets PDFium draw Chinese, Japanese and Korean text whose font is not embedded with Noto CJK; without it such text is
 * invisible. Other missing fonts keep the fonts built into PDFium.
 */
export function installSystemFonts(engine: WrappedPdfiumModule): void {
  const { pdfium } = engine;
  const faces: Face[] = [];
  const files = new Map<string, Buffer>();
  const read = (file: string): Buffer => {
    const bytes = files.get(file) ?? readFileSync(file);
    files.set(file, bytes);
    return bytes;
  };

  const mapFont = (_this: number, weight: number, _italic: number, charset: number, _pitch: number, name: number) => {
    const fontName = pdfium.UTF8ToString(name);
    const { family, file, index } = chooseSubstitute(fontName, weight, charset);
    if (index === undefined || !existsSync(file)) return 0;
    replacedFonts.set(fontName, family);
    return faces.push({ file, index, charset });
  };
  /** Copies the requested bytes if the buffer is large enough; returns their number. */
  const getFontData = (_this: number, handle: number, tag: number, target: number, size: number) => {
    const face = faces[handle - 1];
    if (!face) return 0;
    const collection = read(face.file);
    const bytes =
      tag === COLLECTION_TAG ? collection : tag === 0 ? collection.subarray(faceOffset(collection, face)) : null;
    if (!bytes) return 0;
    if (target !== 0 && size >= bytes.length) pdfiumHeap(engine).set(bytes, target);
    return bytes.length;
  };

  const info = pdfium.wasmExports.malloc(STRUCT_BYTES);
  const pointers = [
    pdfium.addFunction(() => {}, 'vi'),
    pdfium.addFunction(() => {}, 'vii'),
    pdfium.addFunction(mapFont, 'iiiiiiii'),
    pdfium.addFunction(() => 0, 'iii'),
    pdfium.addFunction(getFontData, 'iiiiii'),
    pdfium.addFunction(() => 0, 'iiiii'),
    pdfium.addFunction((_this: number, handle: number) => faces[handle - 1]?.charset ?? 1, 'iii'),
    pdfium.addFunction(() => {}, 'vii'),
  ];
  [1, ...pointers].forEach((value, position) => {
    pdfium.setValue(info + position * 4, value, 'i32');
  });
  engine.FPDF_SetSystemFontInfo(info);
}

/** Position of a face in an OpenType collection. */
const faceOffset = (collection: Buffer, { index }: Face): number => collection.readUInt32BE(12 + index * 4);
