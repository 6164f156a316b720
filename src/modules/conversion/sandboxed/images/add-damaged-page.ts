import { createCanvas, matrixOperator } from '../ofd/canvas.ts';
import { drawNotes } from '../ofd/draw-notes.ts';
import { createFontStore, type FontStore } from '../ofd/font-store.ts';
import { combine, type OfdBox, scaling, translation } from '../ofd/geometry.ts';
import { POINTS_PER_MILLIMETRE } from '../ofd/text-words.ts';
import type { PdfWriter } from '../pdf-writer/pdf-writer.ts';
import type { RejectionReason } from '../rejection-reasons.ts';

/** A6: the text of the note is readable when the page has the width of a phone. */
const PAGE: OfdBox = { x: 0, y: 0, width: 105, height: 148 };
const causes: Partial<Record<RejectionReason, string>> = {
  incomplete: '文件不完整',
  tooLarge: '过大',
  bomb: '过大',
  mismatch: '格式无法识别',
};

/** Returns a function that adds a blank page with a note, which names why the page of the document cannot be shown. */
export function createDamagedPages(writer: PdfWriter): (reason: RejectionReason) => void {
  let fonts: FontStore | null = null;
  return (reason) => {
    // Opened for the first damaged page, because the font has 20 MB.
    fonts ??= createFontStore();
    const base = combine(translation(0, -PAGE.height), scaling(POINTS_PER_MILLIMETRE, -POINTS_PER_MILLIMETRE));
    const canvas = createCanvas(base);
    canvas.push(matrixOperator(base));
    drawNotes({ canvas, fonts }, new Set([`本页的图片（${causes[reason] ?? '文件已损坏'}）`]), PAGE);
    writer.addPage({
      width: PAGE.width * POINTS_PER_MILLIMETRE,
      height: PAGE.height * POINTS_PER_MILLIMETRE,
      ...canvas.finish(),
      words: canvas.words,
    });
  };
}
