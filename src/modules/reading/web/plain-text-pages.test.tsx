import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '#testing/web/render-page.tsx';
import { PlainTextPages } from './plain-text-pages.tsx';

it('the text version of a document keeps tabs and leading spaces of its lines', () => {
  const lines = ['\t一个制表符', '    四个空格', '　　两个全角空格', '甲\t\t乙  丙'];
  const text = { view: 'flow', pages: 1, readable: 1, parts: 1, size: 20, pending: false };
  const page = [{ page: 1, paragraphs: lines, recognized: false, rows: [] }];
  renderPage(<PlainTextPages id={5} text={{ ...text, outline: [], watermark: 'off' as const, page }} />);
  const section = screen.getByRole('region', { name: '第 1 页' });
  const paragraphs = [...section.querySelectorAll('p')].slice(1);
  expect(paragraphs.map(({ textContent }) => textContent)).toEqual(lines);
  // Without this class a browser shows runs of spaces and tabs as one space.
  for (const { classList } of paragraphs)
    expect([...classList]).toEqual(expect.arrayContaining(['whitespace-pre-wrap', '[tab-size:8]']));
});

it('the text version of a document draws the quotes of Latin words in a Chinese paragraph with a Latin font', () => {
  const paragraphs = ['在 “new” 计划里，他说：“好。”', 'It’s all “Latin”.'];
  const text = { view: 'flow', pages: 1, readable: 1, parts: 1, size: 20, pending: false };
  renderPage(
    <PlainTextPages
      id={5}
      text={{
        ...text,
        outline: [],
        watermark: 'off' as const,
        page: [{ page: 1, paragraphs, recognized: false, rows: [] }],
      }}
    />,
  );
  const [mixedParagraph, latinParagraph] = paragraphs.map((paragraph) =>
    screen.getByText((_, element) => element?.tagName === 'P' && element.textContent === paragraph),
  );
  expect([...(mixedParagraph?.querySelectorAll('.latin-text') ?? [])].map(({ textContent }) => textContent)).toEqual([
    '“',
    '”',
  ]);
  expect([latinParagraph?.classList.contains('latin-text'), latinParagraph?.childElementCount]).toEqual([true, 0]);
});

it('the text version of a document names pages whose text was recognized', () => {
  const text = { view: 'pages', pages: 2, readable: 2, parts: 1, size: 20, pending: false };
  const page = [
    { page: 1, paragraphs: ['抽取的文字'], recognized: false, rows: [] },
    { page: 2, paragraphs: ['识别的文字'], recognized: true, rows: [] },
  ];
  renderPage(<PlainTextPages id={5} text={{ ...text, outline: [], watermark: 'off' as const, page }} />);
  expect(screen.getByRole('region', { name: '第 1 页' }).textContent).not.toContain('由机器识别');
  expect(screen.getByRole('region', { name: '第 2 页' }).textContent).toContain('由机器识别');
});
