import { expect, test } from 'vitest';
import { rowsForTier } from '#testing/test-tier.ts';
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
import { openConvertedOfd } from './converted-ofd.fixture.ts';

const NOTE = '本页有内容无法显示：';
const RED = '255 0 0';
const readNote = async (file: Buffer, page = 1) => {
  const { text } = await openConvertedOfd(file);
  return text(page).replaceAll('\n', '');
};
const fontWithFile =
  '<ofd:Fonts><ofd:Font ID="1" FontName="宋体"><ofd:FontFile>song.ttf</ofd:FontFile></ofd:Font></ofd:Fonts>';
const composite = (content: string) =>
  `<ofd:CompositeGraphicUnits><ofd:CompositeGraphicUnit ID="601"><ofd:Content>${content}</ofd:Content></ofd:CompositeGraphicUnit></ofd:CompositeGraphicUnits>`;
const useComposite = '<ofd:CompositeObject ID="1" ResourceID="601" Boundary="0 0 10 10"/>';

test.each(
  rowsForTier<[subject: string, file: Buffer, note: string]>([
    ['a picture without a file', makeOfd({ pages: [ofdImage(501, 0, 0, 9, 9)] }), '图片（文件中缺少）'],
    [
      'a picture in an unknown format',
      makeOfd({
        pages: [ofdImage(501, 0, 0, 9, 9)],
        resources: ofdMedia('a.emf'),
        members: { 'Doc_0/Res/a.emf': 'emf' },
      }),
      '图片（EMF 格式无法读取）',
    ],
    [
      'a broken JBIG2 picture',
      makeOfd({
        pages: [ofdImage(501, 0, 0, 9, 9)],
        resources: ofdMedia('a.jb2'),
        members: { 'Doc_0/Res/a.jb2': Buffer.from('974a42320d0a1a0a0100000001ffff', 'hex') },
      }),
      '图片（JB2 格式无法读取）',
    ],
    ['a composite without content', makeOfd({ pages: [useComposite] }), '图形（文件中缺少）'],
    [
      'a template without a file',
      makeOfd({ pages: [{ head: '<ofd:Template TemplateID="9"/>' }] }),
      '模板（文件中缺少）',
    ],
    ['a page without a file', makeOfd({ members: { 'Doc_0/Pages/Page_0/Content.xml': null } }), '本页的内容'],
    ['a page that is not XML', makeOfd({ members: { 'Doc_0/Pages/Page_0/Content.xml': '\0\x01\x02' } }), '本页的内容'],
    ['a video', makeOfd({ pages: ['<ofd:VideoObject ID="1"/>'] }), '视频'],
    ['an annotation of an unknown type', makeOfd(ofdAnnotations('<ofd:Annot Type="3D"/>')), '注释（未知类型）'],
    [
      'a seal without a picture',
      makeOfd(ofdSignature(Buffer.from('none'), [{ page: 1, boundary: '0 0 9 9' }])),
      '印章（文件中没有图案）',
    ],
    [
      'a seal with an unreadable picture',
      makeOfd(ofdSignature(makeSeal('PNG', Buffer.from('none')), [{ page: 1, boundary: '0 0 9 9' }])),
      '印章（图案无法读取）',
    ],
    [
      'a seal that is a broken OFD file',
      makeOfd(ofdSignature(makeSeal('ofd', Buffer.from('none')), [{ page: 1, boundary: '0 0 9 9' }])),
      '印章（图案无法读取）',
    ],
    [
      'a composite that contains itself',
      makeOfd({ pages: [useComposite], resources: composite(useComposite) }),
      '嵌套过深的对象',
    ],
    [
      'a mesh of colors',
      makeOfd({
        pages: [
          ofdRectangle(0, 0, 9, 9, RED).replace(
            '<ofd:FillColor Value="255 0 0"/>',
            '<ofd:FillColor><ofd:GouraudShd><ofd:Point X="0" Y="0"><ofd:Color Value="255 0 0"/></ofd:Point></ofd:GouraudShd></ofd:FillColor>',
          ),
        ],
      }),
      '网格渐变',
    ],
  ]),
)('%s is named on the page', async (_, file, note) => {
  expect(await readNote(file)).toContain(`${NOTE}${note}`);
});

test('text in a font whose file is missing or broken is drawn with a similar font, and the page says so', async () => {
  const pages = [ofdText('公文', { x: 5, y: 5, size: 5 })];
  const members = { 'Doc_0/Res/song.ttf': Buffer.from('not a font') };
  expect(await readNote(makeOfd({ pages, resources: fontWithFile, members }))).toBe(
    `公文${NOTE}字体“宋体”（以相近的字体显示）`,
  );
  expect(await readNote(makeOfd({ pages, resources: fontWithFile }))).toContain('字体“宋体”的文件（以相近的字体显示）');
});

test('a character that no font has is named, and the other pages have no note', async () => {
  const pages = [ofdText('甲\u{e0001}', { x: 5, y: 5, size: 5 }), ofdText('乙', { x: 5, y: 5, size: 5 })];
  const file = makeOfd({ pages, resources: ofdFonts('宋体') });
  expect(await readNote(file)).toContain(`${NOTE}没有字形的字`);
  expect(await readNote(file, 2)).toBe('乙');
});

test('a page without a file keeps the others readable', async () => {
  const pages = ['', ofdText('乙', { x: 5, y: 5, size: 5 })];
  const members = { 'Doc_0/Pages/Page_0/Content.xml': null };
  expect(await readNote(makeOfd({ pages, resources: ofdFonts('宋体'), members }), 2)).toBe('乙');
});
