import sharp from 'sharp';
import { expect, test } from 'vitest';
import {
  makeOfd,
  makeSeal,
  ofdAnnotations,
  ofdFonts,
  ofdImage,
  ofdMedia,
  ofdRectangle,
  ofdSignature,
  ofdText,
} from '../../ofd.fixture.ts';
import { bmpFile } from '../images/images.fixture.ts';
import { readOutline, readTitle } from '../pdf-metadata.ts';
import { readPageSizes } from '../pdf-page.ts';
import { openConvertedOfd } from './converted-ofd.fixture.ts';

const RED = '255 0 0';
const BLUE = '0 0 255';
const WHITE = '255 255 255';
const png = (color: string, width = 10, height = 10) =>
  sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();

test('every page has its own size, and the file its title and table of contents', async () => {
  const area = '<ofd:Area><ofd:PhysicalBox>5 5 210 297</ofd:PhysicalBox></ofd:Area>';
  const outline =
    '<ofd:Outlines><ofd:OutlineElem Title="第一章"><ofd:Actions><ofd:Action Event="CLICK"><ofd:Goto><ofd:Dest Type="Fit" PageID="2"/></ofd:Goto></ofd:Action></ofd:Actions><ofd:OutlineElem Title="第一节"/></ofd:OutlineElem></ofd:Outlines>';
  const pages = ['', { head: area, objects: ofdRectangle(5, 5, 105, 297, RED) }];
  const { pdf, colors } = await openConvertedOfd(makeOfd({ pages, documentTail: outline, title: '公文 A&amp;B' }));
  const points = readPageSizes(pdf, (size) => size).map(({ width, height }) => [width, height].map(Math.round));
  expect(points).toEqual([
    [283, 142],
    [595, 842],
  ]);
  expect(
    colors(
      [
        [40, 20],
        [60, 20],
      ],
      2,
    ),
  ).toEqual([RED, WHITE]);
  expect(readTitle(pdf)).toBe('公文 A&B');
  expect(readOutline(pdf)).toEqual([
    { depth: 0, title: '第一章', page: 2 },
    { depth: 1, title: '第一节', page: 0 },
  ]);
});

test('paths are drawn with their rule, opacity, clip, transformation and line style', async () => {
  const ring =
    '<ofd:PathObject ID="1" Boundary="0 0 20 20" Stroke="false" Fill="true" Rule="Even-Odd"><ofd:FillColor Value="255 0 0"/><ofd:AbbreviatedData>M 0 0 L 20 0 L 20 20 L 0 20 C M 5 5 L 15 5 L 15 15 L 5 15 C</ofd:AbbreviatedData></ofd:PathObject>';
  const clip =
    '<ofd:Clips><ofd:Clip><ofd:Area><ofd:Path ID="2" Boundary="0 0 20 20"><ofd:AbbreviatedData>M 0 0 L 10 0 L 10 20 L 0 20 C</ofd:AbbreviatedData></ofd:Path></ofd:Area></ofd:Clip></ofd:Clips>';
  const clippedRectangle = ofdRectangle(25, 0, 20, 20, BLUE).replace('</ofd:PathObject>', `${clip}</ofd:PathObject>`);
  const line =
    '<ofd:PathObject ID="3" Boundary="50 0 20 20" CTM="2 0 0 2 0 0" LineWidth="2"><ofd:StrokeColor Value="0 128 0"/><ofd:AbbreviatedData>M 0 5 L 10 5</ofd:AbbreviatedData></ofd:PathObject>';
  const translucent = ofdRectangle(75, 0, 20, 20, RED, 'Alpha="127"');
  const { colors } = await openConvertedOfd(makeOfd({ pages: [ring + clippedRectangle + line + translucent] }));
  expect(
    colors([
      [2, 2],
      [10, 10],
      [30, 10],
      [40, 10],
    ]),
  ).toEqual([RED, WHITE, BLUE, WHITE]);
  expect(
    colors([
      [60, 9],
      [60, 11],
      [60, 13],
      [85, 10],
    ]),
  ).toEqual(['0 128 0', '0 128 0', WHITE, '255 129 129']);
});

test('templates are drawn below and above the page, and draw parameters are the defaults of objects', async () => {
  const templates = [ofdRectangle(0, 0, 50, 50, RED), ofdRectangle(40, 0, 20, 50, '0 128 0')];
  const head =
    '<ofd:Template TemplateID="901" ZOrder="Background"/><ofd:Template TemplateID="902" ZOrder="Foreground"/>';
  const object =
    '<ofd:PathObject ID="1" Boundary="30 0 60 20" Stroke="false" Fill="true" DrawParam="7"><ofd:AbbreviatedData>M 0 0 L 60 0 L 60 20 L 0 20 C</ofd:AbbreviatedData></ofd:PathObject>';
  const resources =
    '<ofd:DrawParams><ofd:DrawParam ID="7" Relative="8"/><ofd:DrawParam ID="8" Relative="7"><ofd:FillColor Value="0 0 255"/></ofd:DrawParam></ofd:DrawParams>';
  const pages = [{ head, objects: object }, { head }];
  const { colors } = await openConvertedOfd(makeOfd({ pages, templates, resources }));
  expect(
    colors([
      [10, 10],
      [35, 10],
      [50, 10],
      [80, 10],
    ]),
  ).toEqual([RED, BLUE, '0 128 0', BLUE]);
  expect(
    colors(
      [
        [35, 10],
        [50, 10],
        [80, 10],
      ],
      2,
    ),
  ).toEqual([RED, '0 128 0', WHITE]);
});

test('text is drawn by outlines and can be selected where it is', async () => {
  const objects =
    ofdText('增值税发票', { x: 10, y: 10, size: 5, color: RED }) +
    ofdText('No 2026', { x: 50, y: 30, size: 4, delta: 'g 6 2' }) +
    '<ofd:TextObject ID="9" Boundary="10 30 20 5" Font="1" Size="4" Fill="false"><ofd:TextCode X="0" Y="4" DeltaX="4">识别</ofd:TextCode></ofd:TextObject>';
  const { text, boxes, colors, fonts } = await openConvertedOfd(
    makeOfd({ pages: [objects], resources: ofdFonts('黑体') }),
  );
  expect(text()).toBe('增值税发票\n识别 No 2026');
  const expectedBoxes = [
    ['增值税发票', 10, 11, 25, 5],
    ['识别 ', 10, 30.8, 8, 4],
    ['No ', 50, 30.8, 4, 4],
    ['2026', 56, 30.8, 8, 4],
  ];
  expect(boxes().map(([word]) => word)).toEqual(expectedBoxes.map(([word]) => word));
  boxes().forEach(([, ...box], word) => {
    box.forEach((value, side) => {
      expect(Math.abs(Number(value) - Number(expectedBoxes[word]?.[side + 1]))).toBeLessThan(0.6);
    });
  });
  const row = Array.from({ length: 100 }, (_, index): [number, number] => [10 + index / 4, 14]);
  expect(colors(row)).toContain(RED);
  expect(new Set(colors(row.map(([x]) => [x, 33])))).toEqual(new Set([WHITE]));
  expect(fonts).toEqual([{ name: '黑体', substitute: 'Noto Sans CJK SC' }]);
});

test('objects that are hidden are neither drawn nor found', async () => {
  const objects =
    ofdText('机密', { x: 10, y: 10, size: 5, attributes: 'Visible="false"' }) +
    ofdRectangle(50, 0, 20, 20, RED, 'Visible="false"') +
    ofdText('公开', { x: 10, y: 30, size: 5 });
  const { text, colors } = await openConvertedOfd(makeOfd({ pages: [objects], resources: ofdFonts('宋体') }));
  expect(text()).toBe('公开');
  expect(colors([[60, 10]])).toEqual([WHITE]);
});

test('pictures fill their box, also with opacity, a mask and without a transformation', async () => {
  const mask = await sharp({ create: { width: 10, height: 10, channels: 3, background: '#000' } })
    .composite([{ input: await png('#fff', 5, 10), left: 5, top: 0 }])
    .png()
    .toBuffer();
  const objects = [
    ofdImage(501, 0, 0, 20, 20),
    ofdImage(501, 25, 0, 20, 20, 'Alpha="127"'),
    ofdImage(502, 50, 0, 20, 20, 'ImageMask="503"'),
    '<ofd:ImageObject ID="1" ResourceID="502" Boundary="75 0 20 20"/>',
    ofdImage(504, 0, 25, 20, 20),
  ];
  const members = {
    'Doc_0/Res/red.jpg': await sharp(await png('#f00', 40, 40))
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .toBuffer(),
    'Doc_0/Res/blue.tif': await sharp(await png('#00f'))
      .tiff()
      .toBuffer(),
    'Doc_0/Res/mask.png': mask,
    'Doc_0/Res/green.bmp': bmpFile(Buffer.from('00ff00'.repeat(4), 'hex'), { width: 2, height: 2, bits: 24 }),
  };
  const resources = ofdMedia('red.jpg', 'blue.tif', 'mask.png', 'green.bmp');
  const { colors } = await openConvertedOfd(makeOfd({ pages: [objects.join('')], resources, members }));
  const [opaque, translucent, ...otherColors] = colors([
    [10, 10],
    [35, 10],
    [53, 10],
    [68, 10],
    [85, 10],
    [98, 10],
    [10, 35],
  ]);
  expect(opaque).toMatch(/^25[45] 0 0$/);
  expect(translucent).toMatch(/^25[45] 12[789] 12[789]$/);
  expect(otherColors.map((color) => color.replace('254', '255'))).toEqual([BLUE, WHITE, BLUE, WHITE, '0 255 0']);
});

test('gradients and patterns are drawn', async () => {
  const gradient = ofdRectangle(0, 0, 40, 20, RED).replace(
    '<ofd:FillColor Value="255 0 0"/>',
    '<ofd:FillColor><ofd:AxialShd StartPoint="0 0" EndPoint="40 0" Extend="3"><ofd:Segment Position="0"><ofd:Color Value="255 0 0"/></ofd:Segment><ofd:Segment Position="1"><ofd:Color Value="0 0 255"/></ofd:Segment></ofd:AxialShd></ofd:FillColor>',
  );
  const pattern = ofdRectangle(50, 0, 40, 20, RED).replace(
    '<ofd:FillColor Value="255 0 0"/>',
    `<ofd:FillColor><ofd:Pattern Width="10" Height="10" RelativeTo="Object"><ofd:CellContent>${ofdRectangle(0, 0, 5, 10, BLUE)}</ofd:CellContent></ofd:Pattern></ofd:FillColor>`,
  );
  const radial = ofdRectangle(0, 25, 20, 20, RED).replace(
    '<ofd:FillColor Value="255 0 0"/>',
    '<ofd:FillColor><ofd:RadialShd StartPoint="10 10" EndPoint="10 10" StartRadius="0" EndRadius="10" Extend="2"><ofd:Segment><ofd:Color Value="255 255 0"/></ofd:Segment><ofd:Segment><ofd:Color Value="0 0 0"/></ofd:Segment></ofd:RadialShd></ofd:FillColor>',
  );
  const { colors } = await openConvertedOfd(makeOfd({ pages: [gradient + pattern + radial] }));
  const [left = '', middle = '', right = ''] = colors([
    [1, 10],
    [20, 10],
    [39, 10],
  ]);
  expect(Number(left.split(' ')[0])).toBeGreaterThan(230);
  expect(Number(right.split(' ')[2])).toBeGreaterThan(230);
  expect(middle).toMatch(/^12\d 0 12\d$/);
  expect(
    colors([
      [52, 10],
      [58, 10],
      [62, 10],
      [68, 10],
    ]),
  ).toEqual([BLUE, WHITE, BLUE, WHITE]);
  const [centre = '', edge = ''] = colors([
    [10, 35],
    [19.5, 35],
  ]);
  expect(Number(centre.split(' ')[0])).toBeGreaterThan(230);
  expect(Number(edge.split(' ')[0])).toBeLessThan(30);
});

test('composites are drawn at their place with their transformation', async () => {
  const resources = `<ofd:CompositeGraphicUnits><ofd:CompositeGraphicUnit ID="601" Width="10" Height="10"><ofd:Content>${ofdRectangle(0, 0, 10, 10, BLUE)}</ofd:Content></ofd:CompositeGraphicUnit></ofd:CompositeGraphicUnits>`;
  const object = '<ofd:CompositeObject ID="1" ResourceID="601" Boundary="20 10 20 20" CTM="2 0 0 2 0 0"/>';
  const { colors } = await openConvertedOfd(
    makeOfd({ pages: [`<ofd:PageBlock>${object}</ofd:PageBlock>`], resources }),
  );
  expect(
    colors([
      [19, 20],
      [21, 11],
      [39, 29],
      [41, 20],
    ]),
  ).toEqual([WHITE, BLUE, BLUE, WHITE]);
});

test('the picture of a seal is drawn over the text without covering it, with its clip', async () => {
  const seal = makeSeal('PNG', await png('#ff0000'));
  const stamps = [
    { page: 1, boundary: '0 0 20 20' },
    { page: 1, boundary: '40 0 20 20', clip: '0 0 10 20' },
  ];
  const options = ofdSignature(seal, stamps);
  const { colors } = await openConvertedOfd(makeOfd({ ...options, pages: [ofdRectangle(0, 0, 10, 20, '0 0 0')] }));
  expect(
    colors([
      [5, 10],
      [15, 10],
      [45, 10],
      [55, 10],
    ]),
  ).toEqual(['0 0 0', RED, RED, WHITE]);
});

test('a seal can be an OFD file itself, whose text is part of its picture', async () => {
  const sealFile = makeOfd({
    size: [10, 10],
    pages: [ofdRectangle(0, 0, 5, 10, RED) + ofdText('章', { x: 5, y: 5, size: 4 })],
    resources: ofdFonts('宋体'),
  });
  const options = ofdSignature(makeSeal('ofd', sealFile), [{ page: 1, boundary: '10 0 40 40' }]);
  const { colors, text } = await openConvertedOfd(makeOfd(options));
  expect(
    colors([
      [5, 20],
      [12, 20],
      [28, 20],
      [31, 5],
    ]),
  ).toEqual([WHITE, RED, RED, WHITE]);
  expect(text()).toBe('');
});

test('the appearance of annotations is drawn, unless they are hidden', async () => {
  const annotation = (attributes: string, x: number) =>
    `<ofd:Annot Type="Watermark" ${attributes}><ofd:Appearance Boundary="${x} 0 20 20">${ofdRectangle(0, 0, 20, 20, RED)}</ofd:Appearance></ofd:Annot>`;
  const options = ofdAnnotations(annotation('', 10) + annotation('Visible="false"', 40));
  const { colors } = await openConvertedOfd(makeOfd(options));
  expect(
    colors([
      [5, 10],
      [15, 10],
      [50, 10],
    ]),
  ).toEqual([WHITE, RED, WHITE]);
});
