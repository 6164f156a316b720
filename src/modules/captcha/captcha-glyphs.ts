/**
 * Strokes of the characters a captcha shows: points on a grid of 4 × 6, strokes parted by |. Drawn
 * by us: a machine without fonts shows them too, and the picture holds no text.
 */
const strokes: Record<string, string> = {
  '0': '1,0 3,0 4,1 4,5 3,6 1,6 0,5 0,1 1,0',
  '1': '1,1 2,0 2,6|1,6 3,6',
  '2': '0,1 1,0 3,0 4,1 4,2 0,6 4,6',
  '3': '0,0 4,0 2,2.5 3,2.5 4,3.5 4,5 3,6 1,6 0,5',
  '4': '3,6 3,0 0,4 4,4',
  '5': '4,0 0.5,0 0.2,2.6 3,2.4 4,3.4 4,5 3,6 1,6 0,5',
  '6': '3.6,0.4 2,0 0.6,1.4 0,4 1,6 3,6 4,5 4,3.8 3,3 1,3 0,4',
  '7': '0,0 4,0 1.6,6',
  '8': '1,3 0.3,2 0.3,1 1,0 3,0 3.7,1 3.7,2 3,3 1,3 0,4 0,5 1,6 3,6 4,5 4,4 3,3',
  '9': '4,2 3,3 1,3 0,2.2 0,1 1,0 3,0 4,2 3.4,4.6 2,6 0.4,5.6',
  '+': '2,1.5 2,4.5|0.5,3 3.5,3',
  '-': '0.5,3 3.5,3',
  '=': '0.5,2.2 3.5,2.2|0.5,3.8 3.5,3.8',
  '?': '0,1 1,0 3,0 4,1 4,2 2,3.4 2,4.4|2,5.7 2,6',
  A: '0,6 2,0 4,6|0.8,4 3.2,4',
  C: '4,1 3,0 1,0 0,1 0,5 1,6 3,6 4,5',
  E: '4,0 0,0 0,6 4,6|0,3 3,3',
  F: '4,0 0,0 0,6|0,3 3,3',
  H: '0,0 0,6|4,0 4,6|0,3 4,3',
  K: '0,0 0,6|4,0 0,3.2 4,6',
  L: '0,0 0,6 4,6',
  M: '0,6 0,0 2,3 4,0 4,6',
  N: '0,6 0,0 4,6 4,0',
  P: '0,6 0,0 3,0 4,1 4,2.2 3,3.2 0,3.2',
  R: '0,6 0,0 3,0 4,1 4,2.2 3,3.2 0,3.2|2,3.2 4,6',
  T: '0,0 4,0|2,0 2,6',
  W: '0,0 1,6 2,2.5 3,6 4,0',
  X: '0,0 4,6|4,0 0,6',
  Y: '0,0 2,3 4,0|2,3 2,6',
};

/** The strokes of a character, each a list of points. */
export const glyphStrokes = (character: string): { x: number; y: number }[][] =>
  (strokes[character] ?? '').split('|').map((stroke) =>
    stroke.split(' ').map((point) => {
      const [x = 0, y = 0] = point.split(',').map(Number);
      return { x, y };
    }),
  );

/** Letters that no digit is mistaken for. */
export const UNAMBIGUOUS_LETTERS = 'ACEFHKLMNPRTWXY';
