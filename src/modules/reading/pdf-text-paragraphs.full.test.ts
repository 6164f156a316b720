import { describe, expect, test } from 'vitest';
import { type TypesetLine, typesetPdf } from '#modules/conversion/typeset-pdf.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { newPublisher } from './reading.fixture.ts';

const { app, ctx, as } = await testApp({ runJobs: true });
const owner = await newPublisher(ctx);

async function paragraphs(lines: TypesetLine[], leading: number): Promise<string[]> {
  const id = await owner.publish(typesetPdf(lines, leading), '.pdf');
  const url = `/api/v1/document/text?id=${id}`;
  return (await app.inject({ url, headers: as.visitor })).json().page[0].paragraphs;
}

const english = [
  'The committee met on Monday to discuss the plan for the coming year in detail',
  'and decided that every department should present its figures before the end of',
  'the month.',
  'A second paragraph begins here and goes on over the whole width of the page as',
  'well, until it ends.',
];
const chinese = [
  '　　会议于星期一召开，讨论了下一年度的工作计划，并决定各部门应当在本月底之前',
  '提交各自的数据，由办公室汇总后报送领导审阅，逾期不报的部门应当书面说明原因。',
  '　　第二段从这里开始，同样写满整行之后才换到下一行，直到这一段的文字全部结束',
  '为止。',
];

describe('the text version of a PDF', () => {
  test.each([
    ['normal', 1.2],
    ['one and a half', 1.8],
    ['double', 2.4],
  ] as const)('joins the lines of English paragraphs set with %s leading', async (_, leading) => {
    const lines = [{ text: 'Annual report', size: 22 }, ...english.map((text) => ({ text }))];
    expect(await paragraphs(lines, leading)).toEqual([
      'Annual report',
      english.slice(0, 3).join(' '),
      english.slice(3).join(' '),
    ]);
  });

  test.each([
    ['normal', 1.3],
    ['double', 2.2],
    ['very wide', 2.8],
  ] as const)('joins the lines of Chinese paragraphs set with %s leading', async (_, leading) => {
    const heading = { text: '一、会议纪要' };
    const lines = [heading, ...chinese.map((text) => ({ text }))];
    expect(await paragraphs(lines, leading)).toEqual([
      '一、会议纪要',
      chinese.slice(0, 2).join('').trim(),
      chinese.slice(2).join('').trim(),
    ]);
  });

  test('keeps the lines of a memo separate when its longest line ends before the margin', async () => {
    const lines = [
      'To: all members of the committee and the readers of the library',
      'From: the director of the library',
      'The reading room opens at nine on each day of the week in spring',
      'Please return the keys of the lockers to the librarians',
      'Thank you',
    ];
    expect(
      await paragraphs(
        lines.map((text) => ({ text })),
        1.3,
      ),
    ).toEqual(lines);
  });

  test.each([1.3, 2.4])('keeps list items separate at a leading of %s', async (leading) => {
    const lines = [
      { text: '1. First item of the list that is long enough to fill the whole line here' },
      { text: 'and hangs below its number', x: 84 },
      { text: '2. Second item of the list that is long enough to fill the whole line too' },
      { text: '3. Third item' },
    ];
    expect(await paragraphs(lines, leading)).toEqual([
      `${lines[0]?.text} ${lines[1]?.text}`,
      lines[2]?.text,
      lines[3]?.text,
    ]);
  });

  test('keeps paragraphs separate that a gap separates, also with wide leading', async () => {
    const full = english[0] ?? '';
    const lines = [full, full, '', full, full].map((text) => ({ text }));
    expect(await paragraphs(lines, 2.2)).toEqual([`${full} ${full}`, `${full} ${full}`]);
  });
});
