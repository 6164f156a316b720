import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeOfd } from '../../ofd.fixture.ts';
import { openConvertedOfd } from './converted-ofd.fixture.ts';
import { openGlyphFont } from './glyph-font.ts';

const FONT_FILE = '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf';
const FULL_BLOCK = 0x2588;
const resources =
  '<ofd:Fonts><ofd:Font ID="1" FontName="Subset"><ofd:FontFile>subset.ttf</ofd:FontFile></ofd:Font></ofd:Fonts>';
const textObject = (attributes: string, content: string) =>
  `<ofd:TextObject ID="1" Boundary="10 10 40 30" Font="1" Size="20" ${attributes}><ofd:FillColor Value="255 0 0"/>${content}<ofd:TextCode X="0" Y="20">i</ofd:TextCode></ofd:TextObject>`;

test.runIf(existsSync(FONT_FILE))(
  'an embedded font draws the glyphs that the document names, and the text stays',
  async () => {
    const bytes = readFileSync(FONT_FILE);
    const block = openGlyphFont(bytes).glyphOf(FULL_BLOCK);
    const transform = `<ofd:CGTransform CodePosition="0" CodeCount="1" GlyphCount="1"><ofd:Glyphs>${block}</ofd:Glyphs></ofd:CGTransform>`;
    const pages = [
      textObject('', transform),
      textObject('HScale="2"', transform),
      textObject('CharDirection="180"', transform),
    ];
    const { text, colors, fonts } = await openConvertedOfd(
      makeOfd({ pages, resources, members: { 'Doc_0/Res/subset.ttf': bytes } }),
    );
    const points: [number, number][] = [
      [12, 25],
      [30, 25],
      [5, 35],
    ];
    expect(colors(points)).toEqual(['255 0 0', '255 255 255', '255 255 255']);
    expect(colors(points, 2)).toEqual(['255 0 0', '255 0 0', '255 255 255']);
    expect(colors(points, 3)).toEqual(['255 255 255', '255 255 255', '255 0 0']);
    expect(text()).toBe('i');
    expect(fonts).toEqual([]);
  },
);

test('openGlyphFont refuses data that is no font', () => {
  expect(() => openGlyphFont(Buffer.from('no font'))).toThrow();
  expect(() => openGlyphFont(Buffer.alloc(0))).toThrow();
});
