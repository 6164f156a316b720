import { expect, test } from 'vitest';
import { makeOfdInvoice, makeOfdLetter } from '../../official-papers.fixture.ts';
import { openConvertedOfd } from './converted-ofd.fixture.ts';

const [RED, WHITE] = ['255 0 0', '255 255 255'];

test('an official letter shows its seal over the date, and its text can be read', async () => {
  const { text, colors } = await openConvertedOfd(makeOfdLetter(), [210, 297]);
  expect(text()).toContain('江城市人民政府办公室关于推行电子公文的通知');
  expect(text()).toContain('（GB/T 33190）');
  // The ring and the star of the seal, and the page beside it.
  expect(
    colors([
      [143, 189],
      [143, 206],
      [100, 230],
    ]),
  ).toEqual([RED, RED, WHITE]);
});

test('an electronic invoice shows its form, values and seal', async () => {
  const { text, colors } = await openConvertedOfd(makeOfdInvoice(), [210, 140]);
  const words = text().split(/\s+/);
  for (const word of ['纳税人识别号：', '91320115MA202UKD7X', '伍佰壹拾伍圆整', '￥515.00', '江城增值税电子普通发票'])
    expect(words).toContain(word);
  expect(text()).not.toContain('无法显示');
  expect(colors([[90.5, 16]])).toEqual([RED]);
});
