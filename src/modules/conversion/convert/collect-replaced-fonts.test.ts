import { expect, test } from 'vitest';
import { collectReplacedFonts } from './collect-replaced-fonts.ts';

/** The lines that fontconfig prints for a request and its match. */
const matchLines = (requestedFont: string, matchedFont: string) => [
  'Match Pattern has 28 elts (size 32)',
  `\tfamily: ${requestedFont}`,
  '\tfamilylang: "en"(s) "en-us"(w)',
  '',
  'Best score 0 0 0',
  'Pattern has 26 elts (size 32)',
  `\tfamily: ${matchedFont}`,
];

function collect(...lines: string[][]) {
  const fonts = collectReplacedFonts();
  for (const line of lines.flat()) fonts.readLine(line);
  return fonts.list();
}

test('a font that fonts.conf replaces is listed once with the installed substitute', () => {
  const lines = matchLines(
    '"FandolFang R"(s) "Noto Serif CJK SC"(s) "仿宋_GB2312"(s) "Noto Sans"(w)',
    '"Noto Serif CJK SC"(s)',
  );
  expect(collect(lines, lines)).toEqual([{ name: '仿宋_GB2312', substitute: 'Noto Serif CJK SC' }]);
});

test('a font that fonts.conf does not know is listed under its own name', () => {
  expect(collect(matchLines('"汉仪某体"(s) "DejaVu Sans"(w)', '"Noto Sans CJK SC"(w)'))).toEqual([
    { name: '汉仪某体', substitute: 'Noto Sans CJK SC' },
  ]);
});

test('installed fonts, fonts of the user interface and symbol fonts are not listed', () => {
  expect(
    collect(
      matchLines('"Noto Serif CJK SC"(s) "Noto Sans"(w)', '"Noto Serif CJK SC"(s)'),
      matchLines('"Liberation Sans"(s) "DejaVu Sans"(s) "Segoe UI"(s) "Cantarell"(w)', '"Liberation Sans"(s)'),
      matchLines('"Wingdings"(s) "Noto Sans"(w)', '"DejaVu Sans"(w)'),
      ['convert /in/document.docx -> /work/office/document.pdf'],
    ),
  ).toEqual([]);
});
