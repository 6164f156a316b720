import { expect, test } from 'vitest';
import { characterErrorRate } from '../../character-error-rate.fixture.ts';
import { recognizeFile } from '../../recognize-file.fixture.ts';
import { tablePage } from '../../scanned-pages.fixture.ts';
import { FULL_PAGE_PICTURE, LINE_OF_TEXT, pdfWithPicture } from '../../scanned-pdf.fixture.ts';

test('a scanned table is recognized row by row, with word boxes in ten-thousandths of the page width', async () => {
  const scan = await tablePage();
  const pdf = await pdfWithPicture(scan.image, [{ operators: LINE_OF_TEXT }, { operators: FULL_PAGE_PICTURE }]);
  const { results, isDone } = await recognizeFile(pdf, { pages: [2, 3] });
  expect(isDone).toBe(true);
  expect(results).toHaveLength(1);
  const [result] = results;
  if (!result) throw new Error('no result');
  expect(result).toMatchObject({ page: 2, engine: 'paddle' });
  expect(result.confidence).toBeGreaterThan(0.9);
  expect(characterErrorRate(scan.text, result.text)).toBeLessThanOrEqual(0.02);
  expect(result.text).toContain('\n4 昆虫记 商务印书馆 128.00 全套十册\n');
  const [text, x, y, width, height] = result.words.flat().find(([word]) => word.startsWith('商务印书馆')) ?? [];
  expect(text).toBe('商务印书馆 ');
  // The cell begins at 160 + 110 + 330 + 18 of 1,654 pixels; the fifth row has its base line at 360 + 4 * 74 + 48.
  expect(x).toBeGreaterThan(3_600);
  expect(x).toBeLessThan(3_800);
  expect(width).toBeGreaterThan(750);
  expect(width).toBeLessThan(1_000);
  expect(y).toBeGreaterThan(3_900);
  expect((y ?? 0) + (height ?? 0)).toBeLessThan(4_400);
});
