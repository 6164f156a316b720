import { describe, expect, test } from 'vitest';
import { joinLinesIntoParagraphs } from './join-lines-into-paragraphs.ts';
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

const paragraphsOf = (words: ReadingWord[][]) => joinLinesIntoParagraphs([words])[0];

describe('joinLinesIntoParagraphs for a page that LibreOffice wrote', () => {
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
      'circumstances-that-no-one-could-foresee.',
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

describe('joinLinesIntoParagraphs for a leading of 2.5', () => {
  const heading = { text: 'Annual report' };
  const first = 'The committee met on Monday to discuss the plan for the coming year in detail, and every';
  const second = 'department should present its figures before the last day of the month in this room.';
  const [CLOSE_DISTANCE, WIDE_DISTANCE] = [FONT_HEIGHT * 1.9, FONT_HEIGHT * 2.5];

  test.each([
    ['continues a sentence', first],
    ['ends with a sentence', first.replace(/, and every$/, ' again, at last.')],
  ])('joins the first line below a closer heading with the second when it %s', (_, text) => {
    const lines = [heading, { text, distance: CLOSE_DISTANCE }, { text: second, distance: WIDE_DISTANCE }];
    expect(paragraphsOf(page(lines))).toEqual([heading.text, `${text} ${second}`]);
  });
});

test('joinLinesIntoParagraphs needs time proportional to the number of words in a line', () => {
  const line = (words: number) => [Array.from({ length: words }, (_, index): ReadingWord => ['a ', index, 0, 1, 100])];
  const secondsFor = (words: number) => {
    const startedAt = process.cpuUsage();
    paragraphsOf(line(words));
    const { user, system } = process.cpuUsage(startedAt);
    return (user + system) / 1e6;
  };
  secondsFor(20_000);
  // A quadratic algorithm takes a hundred times as long for ten times the words: more than a minute.
  expect(secondsFor(200_000)).toBeLessThan(10);
});

describe('joinLinesIntoParagraphs for a memo', () => {
  const memo = [
    'To: all members of the committee and the readers of the library of the town',
    'From: the director of the library',
    'The reading room opens at nine on each day of the week until the end of June',
    'Please return the keys of the lockers to the librarians before you leave',
    'Lockers are cleaned on Friday',
  ];

  test('keeps each line of a page separate when the longest lines are followed by capital letters', () => {
    expect(paragraphsOf(page(texts(memo)))).toEqual(memo);
  });

  test('keeps Chinese lines separate when only one line is long and ends before the page margin', () => {
    const lines = [
      '会议时间：三月一日上午九时',
      '参加人员：各部门负责人以及有关工作人员和特邀代表以及来宾，以及全体志愿者、读者代表和本馆全体离退休人员与家属代表，共一百人',
      '会议内容：讨论下一年度工作计划',
    ];
    expect(paragraphsOf(page(texts(lines)))).toEqual(lines);
  });

  test('joins a line that starts in lower case with the full line before it', () => {
    const lines = [...memo, 'Please tell the librarians about all the books that you found in the wrong', 'place.'];
    expect(paragraphsOf(page(texts(lines)))).toEqual([...memo, lines.slice(-2).join(' ')]);
  });

  test('keeps lines separate below an indented line', () => {
    const indentedText = 'Please note that the library is closed for the whole day on the';
    const followingTexts = ['first Monday of the month', 'Visitors use the side door', 'Guests ring the bell'];
    const words = page(texts([...memo, indentedText, ...followingTexts])).map((line, index) =>
      index === memo.length
        ? line.map(([text, x, top, width, height]): ReadingWord => [text, x + FONT_HEIGHT * 2, top, width, height])
        : line,
    );
    expect(paragraphsOf(words)?.slice(-2)).toEqual(followingTexts.slice(-2));
  });

  test('measures the right margin on the other pages of the document', () => {
    const body = [
      'The committee met on Monday to discuss the plan for the coming year in detail, and every',
      'department should present its figures before the last day of the month in this building,',
      'which was opened again.',
    ];
    const short = ['the reading room, which opens at nine on each day of the week in spring', 'or later, as we know'];
    expect(joinLinesIntoParagraphs([page(texts(body)), page(texts(short))])).toEqual([[body.join(' ')], short]);
  });

  test('keeps right-aligned lines separate', () => {
    const line = (text: string, left: number, top: number, width: number): ReadingWord[] => [
      [text, left, top, width, 200],
    ];
    const lines = [
      line('请各部门认真组织落实，并做好宣传解释工作。', 1000, 1000, 6000),
      line('特此通知。', 1000, 1300, 1000),
      line('办公室', 8400, 1600, 600),
      line('二〇二六年二月二十日', 7000, 1900, 2000),
    ];
    expect(paragraphsOf(lines)).toEqual(lines.map(([word]) => word?.[0]));
  });
});

describe('joinLinesIntoParagraphs for lines of different fonts', () => {
  const line = (top: number, ...words: [text: string, left: number, width: number, height?: number][]) =>
    words.map(([text, left, width, height = 178]): ReadingWord => [text, left, top, width, height]);

  test('joins a list item with its next line when its bullet is set in a larger font', () => {
    const lines = [
      line(1000, ['• ', 1600, 80, 309], ['Members can use, modify and redistribute the library under the', 1824, 6700]),
      line(1220, ['terms of the license.', 1824, 2000]),
      line(1480, ['• ', 1600, 80, 309], ['No limits for the size of values.', 1824, 3000]),
      line(1700, ['The next paragraph is not part of the list.', 1470, 4000]),
    ];
    expect(paragraphsOf(lines)).toEqual([
      '• Members can use, modify and redistribute the library under the terms of the license.',
      '• No limits for the size of values.',
      'The next paragraph is not part of the list.',
    ]);
  });

  test('joins the next line after two lines that the PDF engine returned as one', () => {
    const hyphenatedLine = [
      ...line(1000, ['This document describes rules for the encod', 1470, 7050]),
      ...line(1430, ['ing of structures of many kinds and for their decoding', 1470, 7050]),
    ];
    const lines = [hyphenatedLine, line(1860, ['functions.', 1470, 760])];
    expect(paragraphsOf(lines)).toEqual([
      'This document describes rules for the encoding of structures of many kinds and for their decoding functions.',
    ]);
  });

  test('joins a compound word without a space after the hyphen at the end of a line', () => {
    const lines = [
      line(1000, ['This document describes the long history of Franco-', 1470, 7050]),
      line(1430, ['German relations, which the libraries of both countries', 1470, 7050]),
      line(1860, ['have collected for many years.', 1470, 4000]),
    ];
    expect(paragraphsOf(lines)).toEqual([
      'This document describes the long history of Franco-German relations, which the libraries of both countries have collected for many years.',
    ]);
  });

  test('joins a mostly Latin line with the Chinese lines of its paragraph although their fonts differ in height', () => {
    const mixedLine = (top: number): ReadingWord[] => [
      ['用 ', 1000, top, 400, 576],
      ['PostgreSQL, TypeScript, Fastify, React, Vite, Node ', 1500, top + 167, 7000, 259],
      ['等', 8600, top, 400, 576],
    ];
    const lines = [
      line(1000, ['这个程序保存了全部文档，并说明了如何安装和配置，它', 1000, 8000, 576]),
      mixedLine(1430),
      line(1860, ['程序写成，可以在一台机器上运行。', 1000, 4000, 576]),
    ];
    expect(paragraphsOf(lines)).toHaveLength(1);
  });

  test('separates a heading of nearly equal size by a gap larger than the typical line distance', () => {
    const lines = [
      line(1979, ['很多人以为节气属于农历，其实它按太阳走，一年的路程分成二十', 1626, 7123, 552]),
      line(2439, ['四段，每段十五度，走到一个分点就是一个节气，前后不过', 1240, 7486, 552]),
      line(2901, ['一两天。', 1240, 773, 552]),
      line(3609, ['清明前后，种瓜点豆。这是几百年试错之后留下的答案。', 1626, 6249, 576]),
      line(4507, ['全年一览', 1240, 1142, 815]),
    ];
    expect(paragraphsOf(lines)?.slice(-2)).toEqual(lines.slice(-2).map(([word]) => word?.[0]));
  });
});
