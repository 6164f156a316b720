import { expect, test } from 'vitest';
import { makeOfd, ofdFonts, ofdRectangle, ofdText } from '../../ofd.fixture.ts';
import { openConvertedOfd } from './converted-ofd.fixture.ts';

const RED = '255 0 0';
const useComposite = '<ofd:CompositeObject ID="1" ResourceID="601" Boundary="0 0 10 10"/>';
const composite = `<ofd:CompositeGraphicUnits><ofd:CompositeGraphicUnit ID="601"><ofd:Content>${ofdRectangle(0, 0, 1, 1, RED)}${useComposite.repeat(9)}</ofd:Content></ofd:CompositeGraphicUnit></ofd:CompositeGraphicUnits>`;
const longText = ofdText('国'.repeat(1_000_000), { x: 0, y: 0, size: 1, delta: 'g 99999999 0.001' });

test.each([
  ['a composite that multiplies itself', makeOfd({ pages: [useComposite], resources: composite }), '过多的对象'],
  [
    'a path with too many operators',
    makeOfd({ pages: [ofdRectangle(0, 0, 1, 1, RED).replace('L 1 0', 'L 1 0 '.repeat(400_000))] }),
    '过于复杂的图形',
  ],
  [
    'a page with two million characters',
    makeOfd({ pages: [longText.repeat(2)], resources: ofdFonts('宋体') }),
    '过多的对象',
  ],
])('%s is drawn in part, and the page says so', async (_, file, note) => {
  const { text } = await openConvertedOfd(file);
  expect(text()).toContain('本页有内容无法显示');
  expect(text().replaceAll('\n', '')).toContain(note);
});
