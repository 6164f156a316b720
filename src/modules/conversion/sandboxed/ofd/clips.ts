import { pathOperators } from './canvas.ts';
import { addNote, type Drawing } from './drawing.ts';
import { type AffineMatrix, combine, IDENTITY, parseBox, parseMatrix, translation } from './geometry.ts';
import { objectMatrix } from './object-matrix.ts';
import { parsePathData } from './path-data.ts';
import { childText, findChildren, type XmlElement } from './xml-tree.ts';

const MAX_CLIP_SEGMENTS = 100_000;

/** Restricts the following operators to the clips of an object. The areas of one clip are united. */
export async function drawClips(drawing: Drawing, object: XmlElement, matrix: AffineMatrix): Promise<void> {
  for (const clips of findChildren(object, 'Clips')) {
    const { x, y } = parseBox(object.attributes.Boundary) ?? { x: 0, y: 0 };
    const isTransformed = clips.attributes.TransFlag !== 'false';
    const outer = isTransformed ? matrix : combine(translation(x, y), drawing.matrix);
    for (const clip of findChildren(clips, 'Clip')) {
      const areas = findChildren(clip, 'Area').map((area) => areaOperators(drawing, area, outer));
      const paths = areas.filter((path) => path !== '');
      // Without a readable area the object stays whole, which hides nothing.
      if (paths.length > 0) drawing.canvas.push(...paths, hasEvenOddPath(clip) ? 'W* n' : 'W n');
    }
  }
}

function areaOperators(drawing: Drawing, area: XmlElement, outer: AffineMatrix): string {
  const areaMatrix = combine(parseMatrix(area.attributes.CTM) ?? IDENTITY, outer);
  if (findChildren(area, 'Text').length > 0) addNote(drawing, '按文字裁剪的效果');
  return findChildren(area, 'Path')
    .map((path) => {
      const segments = parsePathData(childText(path, 'AbbreviatedData'), MAX_CLIP_SEGMENTS) ?? [];
      return pathOperators(segments, objectMatrix(areaMatrix, path));
    })
    .join('\n');
}

const hasEvenOddPath = (clip: XmlElement): boolean =>
  findChildren(clip, 'Area').some((area) =>
    findChildren(area, 'Path').some(({ attributes }) => attributes.Rule === 'Even-Odd'),
  );
