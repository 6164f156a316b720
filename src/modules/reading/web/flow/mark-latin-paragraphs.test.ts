import { expect, test } from 'vitest';
import { markLatinParagraphs } from './mark-latin-paragraphs.ts';

test('paragraphs in Latin letters of a mixed text get the class for a Latin font, Chinese ones do not', () => {
  const chinese = '<p>他说：“等一等……”</p>';
  expect(markLatinParagraphs(`${chinese}<p>“Wait”</p><p class="spaced">  “Go”</p>`)).toBe(
    `${chinese}<p class="latin-text">“Wait”</p><p class="spaced latin-text">  “Go”</p>`,
  );
});
