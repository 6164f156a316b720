import type { PdfWord } from '../pdf-writer/invisible-text.ts';
import type { PdfResource } from '../pdf-writer/pdf-writer.ts';
import { drawAnnotations, readAnnotationMembers } from './annotations.ts';
import { createCanvas, matrixOperator } from './canvas.ts';
import { drawBlock } from './draw-block.ts';
import { drawNotes } from './draw-notes.ts';
import { drawStamp, type StampPictures } from './draw-stamp.ts';
import { addNote, createPageState, type Drawing, drawNestedCanvas, type OfdConversion } from './drawing.ts';
import { type AffineMatrix, combine, IDENTITY, type OfdBox, scaling, translation } from './geometry.ts';
import { type OfdDocument, type OfdPageReference, pageBox } from './ofd-document.ts';
import type { OfdPackage } from './ofd-package.ts';
import { drawPageObjects } from './page-objects.ts';
import { readStamps, type Stamp } from './signatures.ts';
import { POINTS_PER_MILLIMETRE } from './text-words.ts';
import { findChildren, type XmlElement } from './xml-tree.ts';

/** Limits of PDF, in millimetres. */
const [MIN_PAGE_SIDE, MAX_PAGE_SIDE] = [1, 5_000];

/** A template is drawn once, as a form that pages use. */
type DrawnTemplate = { form: PdfResource; words: PdfWord[]; notes: string[] };

/** What the pages of a document share. */
type DocumentState = {
  conversion: OfdConversion;
  ofd: OfdPackage;
  document: OfdDocument;
  annotations: Map<string, string[]>;
  stamps: Stamp[];
  stampPictures: StampPictures;
  templates: Map<string, DrawnTemplate | null>;
};

/** Draws the pages of a document one after the other. */
export async function drawDocument(
  conversion: OfdConversion,
  ofd: OfdPackage,
  { document, onPageStart }: { document: OfdDocument; onPageStart: () => void },
): Promise<void> {
  const state: DocumentState = {
    conversion,
    ofd,
    document,
    annotations: await readAnnotationMembers(ofd, document.annotations),
    stamps: await readStamps(ofd, document.signatures),
    stampPictures: new Map(),
    templates: new Map(),
  };
  for (const page of document.pages) {
    onPageStart();
    await drawPage(state, page);
  }
}

async function drawPage(state: DocumentState, reference: OfdPageReference): Promise<void> {
  const { conversion, document, ofd } = state;
  const page = await ofd.readXml(reference.member);
  const box = limitBox(pageBox(page, document));
  const points = scaling(POINTS_PER_MILLIMETRE, -POINTS_PER_MILLIMETRE);
  const base: AffineMatrix = combine(translation(-box.x, -box.y - box.height), points);
  const drawing: Drawing = { ...emptyDrawing(state), canvas: createCanvas(base) };
  const { canvas } = drawing;
  canvas.push(matrixOperator(base));
  const templates = findChildren(page, 'Template');
  await drawTemplates(drawing, state, templates, false);
  if (page?.name === 'Page') await drawPageObjects(drawing, document, page);
  else addNote(drawing, '本页的内容（文件中缺少或已损坏）');
  await drawTemplates(drawing, state, templates, true);
  for (const stamp of state.stamps)
    if (stamp.page === reference.id) await drawStamp(drawing, stamp, state.stampPictures);
  for (const member of state.annotations.get(reference.id) ?? [])
    await drawAnnotations(drawing, await ofd.readXml(member));
  drawNotes({ canvas, fonts: conversion.fonts }, drawing.page.notes, box);
  conversion.writer.addPage({
    width: box.width * POINTS_PER_MILLIMETRE,
    height: box.height * POINTS_PER_MILLIMETRE,
    ...canvas.finish(),
    words: canvas.words.map((word) => moveWord(word, box)),
  });
}

const emptyDrawing = ({ conversion, ofd, document }: DocumentState): Omit<Drawing, 'canvas'> => ({
  conversion,
  ofd,
  resources: document.resources,
  page: createPageState(),
  matrix: IDENTITY,
  alpha: 1,
  drawParams: [],
  depth: 0,
  hasText: true,
  drawBlock,
});

const limitBox = ({ x, y, width, height }: OfdBox): OfdBox => ({
  x,
  y,
  width: Math.max(MIN_PAGE_SIDE, Math.min(MAX_PAGE_SIDE, width)),
  height: Math.max(MIN_PAGE_SIDE, Math.min(MAX_PAGE_SIDE, height)),
});

/** Words are measured from the corner of the page. */
const moveWord = (word: PdfWord, { x, y }: OfdBox): PdfWord => ({
  ...word,
  x: word.x - x * POINTS_PER_MILLIMETRE,
  y: word.y - y * POINTS_PER_MILLIMETRE,
});

async function drawTemplates(
  drawing: Drawing,
  state: DocumentState,
  references: XmlElement[],
  isForeground: boolean,
): Promise<void> {
  for (const { attributes } of references) {
    const id = attributes.TemplateID ?? '';
    const order = attributes.ZOrder ?? (state.document.templates.get(id)?.isForeground ? 'Foreground' : 'Background');
    if ((order === 'Foreground') !== isForeground) continue;
    if (!state.templates.has(id)) state.templates.set(id, await drawTemplate(state, id));
    const template = state.templates.get(id);
    if (!template) {
      addNote(drawing, '模板（文件中缺少）');
      continue;
    }
    const { canvas } = drawing;
    canvas.push(`${canvas.use(template.form)} Do`);
    template.words.forEach(canvas.addWord);
    for (const note of template.notes) addNote(drawing, note);
  }
}

async function drawTemplate(state: DocumentState, id: string): Promise<DrawnTemplate | null> {
  const { ofd, document, conversion } = state;
  const template = await ofd.readXml(document.templates.get(id)?.member ?? null);
  if (!template) return null;
  const drawing: Drawing = { ...emptyDrawing(state), canvas: createCanvas() };
  const canvas = await drawNestedCanvas(drawing, (nestedDrawing) => drawPageObjects(nestedDrawing, document, template));
  const dictionary = '/Type /XObject /Subtype /Form /BBox [-100000 -100000 100000 100000]';
  return {
    form: conversion.writer.addOperators('XObject', dictionary, canvas.finish()),
    words: canvas.words,
    notes: [...drawing.page.notes],
  };
}
