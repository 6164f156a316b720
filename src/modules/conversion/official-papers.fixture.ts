import { encode } from 'uqr';
import {
  makeOfd,
  makeSeal,
  type OfdOptions,
  ofdAnnotations,
  ofdFonts,
  ofdRectangle,
  ofdSignature,
  ofdText,
} from './ofd.fixture.ts';

/** An official letter and an electronic invoice, with seals, as government offices issue them. */

const RED = '255 0 0';
const BROWN = '156 82 35';
const FONTS = ofdFonts('方正小标宋简体', '仿宋_GB2312', '楷体', '宋体', 'Courier New');
const [TITLE, FANG_SONG, KAI, SONG, COURIER] = [1, 2, 3, 4, 5];
const LATIN_CHARACTERS = /[\0-\xff]/;

/** Latin characters are half as wide as the others. */
const deltas = (text: string, size: number, width = size) =>
  [...text].map((character) => (LATIN_CHARACTERS.test(character) ? size / 2 : width)).join(' ');

const line = (text: string, x: number, y: number, size: number, font: number, color = '0 0 0') =>
  ofdText(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'), {
    x,
    y,
    size,
    font,
    color,
    delta: deltas(text, size),
  });

const stroke = (data: string, width: number, color: string) =>
  `<ofd:PathObject ID="1" Boundary="0 0 210 297" LineWidth="${width}"><ofd:StrokeColor Value="${color}"/><ofd:AbbreviatedData>${data}</ofd:AbbreviatedData></ofd:PathObject>`;

const star = (x: number, y: number, radius: number) => {
  const points = [0, 2, 4, 1, 3].map((index) => {
    const angle = (index * 2 * Math.PI) / 5 - Math.PI / 2;
    return `${(x + radius * Math.cos(angle)).toFixed(3)} ${(y + radius * Math.sin(angle)).toFixed(3)}`;
  });
  return `<ofd:PathObject ID="1" Boundary="0 0 40 40" Stroke="false" Fill="true"><ofd:FillColor Value="${RED}"/><ofd:AbbreviatedData>M ${points.join(' L ')} C</ofd:AbbreviatedData></ofd:PathObject>`;
};

type Arc = { x: number; y: number; radii: [number, number]; size: number; span: number };

/** Characters around the upper part of an ellipse, each turned by its own transformation. */
const arcText = (text: string, { x, y, radii, size, span }: Arc) =>
  [...text]
    .map((character, index) => {
      const angle = ((index - (text.length - 1) / 2) * span) / text.length;
      const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
      const [left, top] = [x + radii[0] * sin, y - radii[1] * cos];
      return `<ofd:TextObject ID="1" Boundary="${left} ${top} 5 5" CTM="${cos} ${sin} ${-sin} ${cos} 0 0" Font="4" Size="${size}"><ofd:FillColor Value="${RED}"/><ofd:TextCode X="${-size / 2}" Y="0">${character}</ofd:TextCode></ofd:TextObject>`;
    })
    .join('');

const roundSeal = (name: string): Buffer =>
  makeOfd({
    size: [40, 40],
    resources: FONTS,
    pages: [
      stroke('M 1 20 A 19 19 0 1 1 39 20 A 19 19 0 1 1 1 20 C', 1.2, RED) +
        star(20, 20, 6.5) +
        arcText(name, { x: 20, y: 20, radii: [13, 13], size: 4.6, span: 4.5 }),
    ],
  });

const ovalSeal = (name: string, office: string): Buffer =>
  makeOfd({
    size: [30, 20],
    resources: FONTS,
    pages: [
      stroke('M 0.5 10 A 14.5 9.5 0 1 1 29.5 10 A 14.5 9.5 0 1 1 0.5 10 C', 0.8, RED) +
        arcText(name, { x: 15, y: 10, radii: [11.6, 6.2], size: 2.2, span: 2.9 }) +
        line(office, 15 - office.length * 1.2, 10, 2.4, SONG, RED),
    ],
  });

const withParts = (options: OfdOptions, ...parts: OfdOptions[]): OfdOptions =>
  Object.assign(options, ...parts, { members: Object.assign({}, ...parts.map(({ members }) => members)) });

const paragraphs = [
  '各区、县（市）人民政府，市政府各部门、各直属单位：',
  '　　为进一步规范电子公文的归档与利用，提高办事效率，现就有关事项',
  '通知如下。',
  '　　一、自2026年12月1日起，正式公文一律以版式文件（GB/T 33190）形',
  '成、交换和归档，纸质文件与电子文件具有同等效力。',
  '　　二、各单位应当将公文的正文、附件和电子印章一并保存，并确保文',
  '字可以检索、复制，印章可以验证。',
  '　　三、请于2026年11月30日前将落实情况报送市政府办公室。',
  '　　特此通知。',
];

/** The heading in red, the number, the text, and a round seal over the name of the office and the date. */
export function makeOfdLetter(): Buffer {
  const head =
    line('江城市人民政府办公室文件', 27, 30, 13, TITLE, RED) +
    line('江政办发〔2026〕18号', 80, 62, 5.2, FANG_SONG) +
    ofdRectangle(26, 72, 158, 0.8, RED) +
    line('江城市人民政府办公室关于推行电子公文的通知', 31, 84, 7, TITLE);
  const body = paragraphs.map((text, index) => line(text, 28, 102 + index * 9.5, 5, FANG_SONG)).join('');
  const tail = line('江城市人民政府办公室', 118, 205, 5, FANG_SONG) + line('2026年11月19日', 128, 215, 5, FANG_SONG);
  const seal = ofdSignature(makeSeal('ofd', roundSeal('江城市人民政府办公室')), [
    { page: 1, boundary: '123 188 40 40' },
  ]);
  return makeOfd(
    withParts(
      { title: '关于推行电子公文的通知', size: [210, 297], resources: FONTS, pages: [head + body + tail] },
      seal,
    ),
  );
}

const invoiceLines = 'M 5 30 L 205 30 M 5 52 L 205 52 M 5 96 L 205 96 M 5 104 L 205 104 M 5 124 L 205 124';
const invoiceColumns =
  'M 5 30 L 5 124 M 205 30 L 205 124 M 13 30 L 13 52 M 120 30 L 120 52 M 126 30 L 126 52 M 13 104 L 13 124 M 120 104 L 120 124 M 126 104 L 126 124 M 56 52 L 56 104 M 95 52 L 95 96 M 114 52 L 114 96 M 135 52 L 135 96 M 164 52 L 164 96 M 177 52 L 177 96';
const invoiceLabels: [text: string, x: number, y: number][] = [
  ['发票代码：', 150, 5],
  ['发票号码：', 150, 11],
  ['开票日期：', 150, 17],
  ['购', 7.5, 32],
  ['买', 7.5, 38.5],
  ['方', 7.5, 45],
  ['名　　　　称：', 14, 31],
  ['纳税人识别号：', 14, 36.5],
  ['密', 121.5, 32],
  ['码', 121.5, 38.5],
  ['区', 121.5, 45],
  ['项目名称', 25, 53],
  ['单价', 120, 53],
  ['金　额', 145, 53],
  ['税率', 167, 53],
  ['税　额', 187, 53],
  ['合　　　计', 22, 90],
  ['价税合计（大写）', 16, 97],
  ['（小写）', 155, 97],
  ['销', 7.5, 106],
  ['售', 7.5, 112],
  ['方', 7.5, 118],
  ['名　　　　称：', 14, 105],
  ['纳税人识别号：', 14, 110.5],
  ['备', 121.5, 107],
  ['注', 121.5, 116],
];
const invoiceValues: [text: string, x: number, y: number, font: number][] = [
  ['011002600211', 168, 5, SONG],
  ['83089647', 168, 11, SONG],
  ['2026年11月19日', 168, 17, SONG],
  ['江城市图书馆', 38, 31, SONG],
  ['91320115MA202UKD7X', 38, 36.5, COURIER],
  ['0062477>548-1109>61*9-52160+', 128, 33, COURIER],
  ['2>+<79<931-426-8*+38+412394<', 128, 38, COURIER],
  ['*信息技术服务*数据处理', 6, 59, SONG],
  ['500.00', 119, 59, SONG],
  ['500.00', 150, 59, SONG],
  ['3%', 168, 59, SONG],
  ['15.00', 192, 59, SONG],
  ['￥500.00', 148, 90, SONG],
  ['￥15.00', 190, 90, SONG],
  ['伍佰壹拾伍圆整', 64, 97, SONG],
  ['￥515.00', 172, 97, SONG],
  ['豆库信息技术有限公司', 38, 105, SONG],
  ['92330781MA2EDMFU50', 38, 110.5, COURIER],
];

/** The code that readers of invoices scan, as small squares. */
function codeSquares(text: string, x: number, y: number, size: number): string {
  const { data } = encode(text, { border: 0 });
  const side = size / data.length;
  const squares = data.flatMap((row, at) =>
    row.flatMap((isDark, column) =>
      isDark
        ? [
            `M ${column * side} ${at * side} L ${(column + 1) * side} ${at * side} L ${(column + 1) * side} ${(at + 1) * side} L ${column * side} ${(at + 1) * side} C`,
          ]
        : [],
    ),
  );
  return `<ofd:PathObject ID="1" Boundary="${x} ${y} ${size} ${size}" Stroke="false" Fill="true"><ofd:FillColor Value="0 0 0"/><ofd:AbbreviatedData>${squares.join(' ')}</ofd:AbbreviatedData></ofd:PathObject>`;
}

/** A form as its template, the values, the code, an oval seal over the heading, and an annotation without a picture. */
export function makeOfdInvoice(): Buffer {
  const template =
    stroke(invoiceLines, 0.25, BROWN) +
    stroke(invoiceColumns, 0.25, BROWN) +
    stroke('M 68 18 L 142 18 M 68 19 L 142 19', 0.25, BROWN) +
    invoiceLabels.map(([text, x, y]) => line(text, x, y, 3.2, KAI, BROWN)).join('');
  const values =
    line('江城增值税电子普通发票', 69, 8, 6.6, KAI, BROWN) +
    invoiceValues.map(([text, x, y, font]) => line(text, x, y, font === COURIER ? 4.2 : 3.2, font)).join('') +
    codeSquares('01,10,011002600211,83089647,500.00,20261119', 8, 4, 20);
  const head = '<ofd:Template TemplateID="901" ZOrder="Background"/>';
  const seal = ofdSignature(makeSeal('ofd', ovalSeal('全国统一发票监制章', '江城税务局')), [
    { page: 1, boundary: '90 6 30 20' },
  ]);
  const annotation = ofdAnnotations(
    '<ofd:Annot Type="Stamp" Subtype="SignatureInFile"><ofd:Appearance Boundary="5 104 115 20"/></ofd:Annot>',
  );
  return makeOfd(
    withParts(
      {
        title: '电子发票',
        size: [210, 140],
        resources: FONTS,
        templates: [template],
        pages: [{ head, objects: values }],
      },
      annotation,
      seal,
    ),
  );
}
