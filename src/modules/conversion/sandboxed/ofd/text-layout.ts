import { parseNumberOr, parseNumbers } from './geometry.ts';
import { deltaAfter, parseDeltas } from './text-code.ts';
import { findChildren, type XmlElement } from './xml-tree.ts';

/** A character with its origin on the base line, in the coordinates of its text object. */
export type PlacedCharacter = {
  text: string;
  x: number;
  y: number;
  /** Offset to the next character along the line; null after the last one or without offsets. */
  delta: number | null;
  /** Number of the glyph in the embedded font, where the document gives it; null for an omitted glyph. */
  glyph?: number | null;
};

/** The advance of a character where the document gives no offsets. */
type NaturalAdvance = (character: string) => number;

const BREAKS = /[\r\n\t]/g;

/** Places the characters of all TextCode elements. */
export function placeCharacters(object: XmlElement, naturalAdvance: NaturalAdvance): PlacedCharacter[] {
  const placedCharacters: PlacedCharacter[] = [];
  const isVertical = parseNumberOr(object.attributes.ReadDirection, 0) % 180 !== 0;
  let [x, y] = [0, 0];
  for (const code of findChildren(object, 'TextCode')) {
    x = parseNumberOr(code.attributes.X, x);
    y = parseNumberOr(code.attributes.Y, y);
    const characters = [...code.text.replace(BREAKS, '')];
    const deltaX = parseDeltas(code.attributes.DeltaX, characters.length);
    const deltaY = parseDeltas(code.attributes.DeltaY, characters.length);
    let [currentX, currentY] = [x, y];
    characters.forEach((text, index) => {
      const isLast = index === characters.length - 1;
      const hasDeltas = deltaX !== null || deltaY !== null;
      const natural = hasDeltas ? 0 : naturalAdvance(text);
      const nextX = deltaX ? deltaAfter(deltaX, index) : isVertical ? 0 : natural;
      const nextY = deltaY ? deltaAfter(deltaY, index) : isVertical ? natural : 0;
      placedCharacters.push({
        text,
        x: currentX,
        y: currentY,
        delta: isLast || !hasDeltas ? null : Math.hypot(nextX, nextY),
      });
      currentX += nextX;
      currentY += nextY;
    });
  }
  applyGlyphs(placedCharacters, object);
  return placedCharacters;
}

/** CGTransform names the glyphs for a range of characters; additional glyphs have no position of their own. */
function applyGlyphs(characters: PlacedCharacter[], object: XmlElement): void {
  for (const { attributes, children } of findChildren(object, 'CGTransform')) {
    const glyphs = parseNumbers(children.find(({ name }) => name === 'Glyphs')?.text);
    const start = Math.max(0, parseNumberOr(attributes.CodePosition, 0));
    const count = parseNumberOr(attributes.CodeCount, glyphs.length);
    characters.slice(start, start + Math.max(0, count)).forEach((character, index) => {
      character.glyph = glyphs[index] ?? null;
    });
  }
}
