import { drawClips } from './clips.ts';
import { readAlpha } from './color.ts';
import { drawImage } from './draw-image.ts';
import { drawPath } from './draw-path.ts';
import { drawText } from './draw-text.ts';
import { addNote, type Drawing, findDrawParams, mayDraw } from './drawing.ts';
import { objectMatrix } from './object-matrix.ts';
import { findChild, type XmlElement } from './xml-tree.ts';

type DrawObject = (drawing: Drawing, object: XmlElement) => Promise<void>;

const drawObject: Record<string, DrawObject> = {
  TextObject: drawText,
  PathObject: drawPath,
  ImageObject: drawImage,
  CompositeObject: drawComposite,
  PageBlock: drawBlock,
  Layer: drawBlock,
};
const undrawableObjects: Record<string, string> = { VideoObject: '视频' };

/** Draws the objects of a layer, a block, an annotation or a composite in their order. */
export async function drawBlock(drawing: Drawing, block: XmlElement): Promise<void> {
  for (const object of block.children) {
    const draw = drawObject[object.name];
    const undrawable = undrawableObjects[object.name];
    if (undrawable !== undefined) addNote(drawing, undrawable);
    if (!draw || object.attributes.Visible === 'false' || object.attributes.Visible === '0') continue;
    if (!mayDraw(drawing)) return;
    await draw(drawing, object);
  }
}

async function drawComposite(drawing: Drawing, object: XmlElement): Promise<void> {
  const { canvas, resources } = drawing;
  const content = findChild(resources.composites.get(object.attributes.ResourceID ?? ''), 'Content');
  if (!content) return addNote(drawing, '图形（文件中缺少）');
  const matrix = objectMatrix(drawing.matrix, object);
  canvas.push('q');
  await drawClips(drawing, object, matrix);
  await drawBlock(
    {
      ...drawing,
      matrix,
      alpha: drawing.alpha * readAlpha(object.attributes.Alpha),
      drawParams: [...findDrawParams(resources, object.attributes.DrawParam), ...drawing.drawParams],
      depth: drawing.depth + 1,
    },
    content,
  );
  canvas.push('Q');
}
