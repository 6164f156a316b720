import { describe, expect, test } from 'vitest';
import { paragraphsOf } from './line-paragraphs.ts';
import type { ReadingWord } from './reading.contract.ts';

const LEFT = 1178;
const CHARACTER_WIDTH = 90;
/** LibreOffice writes fonts that are higher than the line distance. */
const FONT_HEIGHT = 304;
const LINE_DISTANCE = 209;

type LineInput = { text: string; distance?: number };

/** Lines with fixed-width characters, like a page that LibreOffice wrote. */
function page(lines: LineInput[]): ReadingWord[][] {
  let top = 1000;
  return lines.map(({ text, distance = LINE_DISTANCE }) => {
    top += distance;
    let x = LEFT;
    return text.split(/(?<= )/).map((word): ReadingWord => {
      const left = x;
      x += word.length * CHARACTER_WIDTH;
      return [word, left, top, word.trim().length * CHARACTER_WIDTH, FONT_HEIGHT];
    });
  });
}

const texts = (lines: string[]): LineInput[] => lines.map((text) => ({ text }));
const pairs = (lines: string[]) =>
  Array.from({ length: lines.length / 2 }, (_, pair) => lines.slice(pair * 2, pair * 2 + 2).join(' '));

describe('paragraphsOf for a page that LibreOffice wrote', () => {
  test('starts a paragraph after a sentence end if the next word would have fit into the line', () => {
    const lines = [
      'The committee met on Monday to discuss the plan for the coming year in detail, and every',
      'department should present its figures before the last day of the month in this room.',
      'A second paragraph begins here and goes on over the whole width of the page, as the last',
      'one did, until it comes to its end near the right margin, where the room is not full.',
      'In the third year the number of visitors rose again, and the library opened a second one',
      'for students, who may work there until late in the evening on every day of the week.',
    ];
    expect(paragraphsOf(page(texts(lines)))).toEqual(pairs(lines));
  });

  test('starts a paragraph after a sentence end before a larger line distance, also after a full line', () => {
    const lines = [
      'The committee met on Monday to discuss the plan for the coming year in detail, and every',
      'department should present its figures before the last day of the month in this building.',
      'Responsibilities are to be shared from now on between the members of the committee, with',
      'exceptions for the treasurer and for the two members who were elected in the last spring.',
      'Notwithstanding the rules above, the chair may call a meeting on any day of the week with',
      'a notice of three days that names the place and the time and the matters to be discussed.',
    ];
    const spacedLines = lines.map((text, index) => ({
      text,
      distance: index % 2 === 0 ? LINE_DISTANCE * 1.5 : LINE_DISTANCE,
    }));
    expect(paragraphsOf(page(spacedLines))).toEqual(pairs(lines));
  });

  test('joins lines when the next word is too long for the rest of the line', () => {
    const lines = [
      'It has turned out that in these years the administrations did share their',
      'responsibilities-for-documentation.',
      'It was agreed by all of the members that this is to be continued also in',
      'circumstances-that-nobody-could-foresee.',
      'Visitors of the reading room are asked to leave their coats and bags in the lockers of the hall.',
    ];
    expect(paragraphsOf(page(texts(lines)))).toEqual([...pairs(lines.slice(0, 4)), lines[4]]);
  });

  test('joins lines after an abbreviation when the next line begins with a number', () => {
    const lines = [
      'The number of visitors of the library rose in each of the last ten years, as Fig.',
      '3 shows for the reading room and for the two rooms of the students in the other building.',
    ];
    expect(paragraphsOf(page(texts(lines)))).toEqual(pairs(lines));
  });

  test('joins lines after a sentence end when the next word did not fit', () => {
    const lines = [
      'The committee met on Monday to discuss the plan for the year. It was read in full by all.',
      'Departments should present their figures before the end of the month.',
    ];
    expect(paragraphsOf(page(texts(lines)))).toEqual(pairs(lines));
  });

  test('keeps lines separate when all lines of the page are short', () => {
    const lines = ['The wind is cold', 'and clear the moon,', 'the leaves that fall', 'will gather soon'];
    expect(paragraphsOf(page(texts(lines)))).toEqual(lines);
  });
});
