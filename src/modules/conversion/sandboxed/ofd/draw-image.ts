import type { PdfResource } from '../pdf-writer/pdf-writer.ts';
import { matrixOperator } from './canvas.ts';
import { drawClips } from './clips.ts';
import { readAlpha } from './color.ts';
import { addNote, type Drawing } from './drawing.ts';
import { type AffineMatrix, combine, parseBox, parseMatrix, scaling } from './geometry.ts';
import { objectMatrix } from './object-matrix.ts';
import { alphaOperator } from './paint.ts';
import type { XmlElement } from './xml-tree.ts';

/** Pictures of PDF are drawn upwards into a square of side 1. */
const UPWARDS: AffineMatrix = [1, 0, 0, -1, 0, 1];

export async function drawImage(drawing: Drawing, object: XmlElement): Promise<void> {
  const image = await loadImage(drawing, object);
  if (!image) return;
  const { canvas } = drawing;
  const matrix = imageMatrix(drawing.matrix, object);
  const opacity = drawing.alpha * readAlpha(object.attributes.Alpha);
  canvas.push('q');
  await drawClips(drawing, object, objectMatrix(drawing.matrix, object));
  canvas.push(
    matrixOperator(combine(UPWARDS, matrix)),
    alphaOperator(drawing, opacity, opacity),
    `${canvas.use(image)} Do`,
    'Q',
  );
}

/** Without a CTM a picture fills its box. */
function imageMatrix(blockMatrix: AffineMatrix, object: XmlElement): AffineMatrix {
  const box = parseBox(object.attributes.Boundary);
  const matrix = objectMatrix(blockMatrix, object);
  return box && !parseMatrix(object.attributes.CTM) ? combine(scaling(box.width, box.height), matrix) : matrix;
}

async function loadImage(drawing: Drawing, { attributes }: XmlElement): Promise<PdfResource | null> {
  const { ofd, resources, conversion } = drawing;
  const media = resources.media.get(attributes.ResourceID ?? '');
  const bytes = media?.file ? await ofd.readBytes(media.file) : null;
  if (!media?.file || !bytes) {
    addNote(drawing, '图片（文件中缺少）');
    return null;
  }
  const maskFile = resources.media.get(attributes.ImageMask ?? '')?.file ?? null;
  const mask = maskFile === null ? null : await ofd.readBytes(maskFile);
  const image = await conversion.images.add(`${ofd.id}\n${media.file}\n${mask ? maskFile : ''}`, bytes, mask);
  if (!image) addNote(drawing, `图片（${describeFormat(media.format, media.file)}）`);
  return image;
}

const describeFormat = (format: string, file: string): string => {
  const name = (format || file.slice(file.lastIndexOf('.') + 1)).toUpperCase();
  return /^[A-Z0-9]{1,8}$/.test(name) ? `${name} 格式无法读取` : '格式无法读取';
};
