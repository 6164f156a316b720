import XLSX from '@e965/xlsx';
import { columnChart, PLOT_VISIBLE_ONLY, referenceXml, seriesXml } from './chart.fixture.ts';
import { makeWorkbook } from './workbook.fixture.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';

const relationshipsXml = (entries: [id: string, type: string, target: string][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

export type CellPosition = { column: number; columnOffset?: number; row: number; rowOffset?: number };

const positionXml = (name: string, { column, columnOffset = 0, row, rowOffset = 0 }: CellPosition) =>
  `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>${columnOffset}</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>${rowOffset}</xdr:rowOff></xdr:${name}>`;

export const twoCellAnchor = (from: CellPosition, to: CellPosition, content: string) =>
  `<xdr:twoCellAnchor>${positionXml('from', from)}${positionXml('to', to)}${content}<xdr:clientData/></xdr:twoCellAnchor>`;

/** The size is in EMU, 9,525 for a pixel. */
export const oneCellAnchor = (from: CellPosition, [width, height]: [number, number], content: string) =>
  `<xdr:oneCellAnchor>${positionXml('from', from)}<xdr:ext cx="${width}" cy="${height}"/>${content}<xdr:clientData/></xdr:oneCellAnchor>`;

type PictureOptions = { crop?: string; isHidden?: boolean; bounds?: [number, number, number, number] };

/** `relation`: id of the relation to the image, which is the position of the image from 0 with "image" before it. */
export const pictureXml = (
  relation: string,
  { crop = '', isHidden = false, bounds = [0, 0, 9, 9] }: PictureOptions = {},
) =>
  `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="ID_${relation}"${isHidden ? ' hidden="1"' : ''}/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="${relation}"/>${crop && `<a:srcRect ${crop}/>`}<a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="${bounds[0]}" y="${bounds[1]}"/><a:ext cx="${bounds[2]}" cy="${bounds[3]}"/></a:xfrm></xdr:spPr></xdr:pic>`;

/** A group of 200 by 100 units. */
export const groupXml = (content: string) =>
  `<xdr:grpSp><xdr:nvGrpSpPr><xdr:cNvPr id="9" name="g"/></xdr:nvGrpSpPr><xdr:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="20" cy="10"/><a:chOff x="0" y="0"/><a:chExt cx="200" cy="100"/></a:xfrm></xdr:grpSpPr>${content}</xdr:grpSp>`;

export const chartXml = (relation: string) =>
  `<xdr:graphicFrame><xdr:nvGraphicFramePr><xdr:cNvPr id="3" name="c"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" r:id="${relation}"/></a:graphicData></a:graphic></xdr:graphicFrame>`;

/** A bar chart of the cells A2:B3 of the sheet 数据, with a copy of their values or without one. */
export function barChart(hasNumbers: boolean): string {
  const cache = (kind: 'str' | 'num', values: string[]) =>
    hasNumbers
      ? `<c:${kind}Cache><c:ptCount val="2"/>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache>`
      : '';
  return `<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main"><c:chart><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/><c:spPr><a:solidFill><a:srgbClr val="FF0000"/></a:solidFill></c:spPr><c:cat><c:strRef><c:f>数据!$A$2:$A$3</c:f>${cache('str', ['一月', '二月'])}</c:strRef></c:cat><c:val><c:numRef><c:f>数据!$B$2:$B$3</c:f>${cache('num', ['10', '20'])}</c:numRef></c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:delete val="0"/><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart></c:chartSpace>`;
}

const number = (value: number) => ({ v: value, z: '0' });

/**
 * A workbook whose first sheet hides its third row and its third column, with a chart of all its cells on the second
 * sheet. The chart has copies of all values, or none.
 */
export function bookWithHiddenChartCells({ hasNumbers = true, plotVisOnly = PLOT_VISIBLE_ONLY } = {}): Buffer {
  const rows = [
    ['月份', '销量', '机密成本'],
    ['一月', number(10), number(7001)],
    ['机密月', number(7002), number(7003)],
    ['三月', number(30), number(7004)],
  ];
  const reference = (kind: 'str' | 'num', column: string, rows: string, values: string[]) =>
    referenceXml(kind, `'数 据'!${rows.replaceAll('#', `$${column}$`)}`, hasNumbers ? values : undefined);
  const series = (index: number, column: string, name: string, values: string[]) => {
    const text = reference('str', column, '#1', [name]);
    const categories = reference('str', 'A', '#2:#4', ['一月', '机密月', '三月']);
    return seriesXml(
      index,
      `<c:tx>${text}</c:tx><c:cat>${categories}</c:cat><c:val>${reference('num', column, '#2:#4', values)}</c:val>`,
    );
  };
  const chart = columnChart(
    series(0, 'B', '销量', ['10', '7002', '30']) + series(1, 'C', '机密成本', ['7001', '7003', '7004']),
    plotVisOnly,
  );
  const book = makeWorkbook('xlsx', [
    { name: '数 据', rows, hiddenRows: [2], hiddenColumns: [2] },
    { name: '图表', rows: [] },
  ]);
  return withDrawing(book, {
    sheet: 2,
    anchors: [twoCellAnchor({ column: 0, row: 1 }, { column: 6, row: 16 }, chartXml('chart0'))],
    charts: [chart],
  });
}

/** In cells of hidden rows and columns of this workbook only. */
export const HIDDEN_CHART_CELLS = /机密|700/;

type DrawingParts = {
  sheet?: number;
  anchors: string[];
  images?: Buffer[];
  imageExtension?: 'png' | 'emf';
  charts?: string[];
  cellImages?: string[];
};

const wsDr = (name: string, content: string) =>
  `<${name} xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${RELATIONS}" xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData">${content}</${name}>`;

/** Adds a drawing to a sheet (from 1) of an xlsx file. */
export function withDrawing(
  book: Buffer,
  { sheet = 1, anchors, images = [], imageExtension = 'png', charts = [], cellImages = [] }: DrawingParts,
) {
  const container = XLSX.CFB.read(book, { type: 'buffer' });
  const add = (name: string, body: string | Buffer) => XLSX.CFB.utils.cfb_add(container, name, Buffer.from(body));
  const rewrite = (name: string, change: (xml: string) => string) => {
    const part = XLSX.CFB.find(container, name);
    part.content = Buffer.from(change(Buffer.from(part.content).toString('utf8')));
    part.size = part.content.length;
  };
  const imageRelations = images.map((_, index): [string, string, string] => [
    `image${index}`,
    'image',
    `/xl/media/image${sheet}-${index}.${imageExtension}`,
  ]);
  const chartPart = (index: number) => `/xl/charts/chart${sheet}${index}.xml`;
  for (const [index, image] of images.entries()) add(`/xl/media/image${sheet}-${index}.${imageExtension}`, image);
  for (const [index, chart] of charts.entries()) add(chartPart(index), chart);
  rewrite('/[Content_Types].xml', (xml) =>
    xml.replace(
      '</Types>',
      `<Default Extension="png" ContentType="image/png"/><Override PartName="/xl/drawings/drawing${sheet}.xml" ContentType="application/vnd.openxmlformats-officedocument.drawing+xml"/>${charts.map((_, index) => `<Override PartName="${chartPart(index)}" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/>`).join('')}</Types>`,
    ),
  );
  rewrite(`/xl/worksheets/sheet${sheet}.xml`, (xml) => xml.replace('</worksheet>', '<drawing r:id="rd"/></worksheet>'));
  add(
    `/xl/worksheets/_rels/sheet${sheet}.xml.rels`,
    relationshipsXml([['rd', 'drawing', `/xl/drawings/drawing${sheet}.xml`]]),
  );
  add(`/xl/drawings/drawing${sheet}.xml`, wsDr('xdr:wsDr', anchors.join('')));
  add(
    `/xl/drawings/_rels/drawing${sheet}.xml.rels`,
    relationshipsXml([
      ...imageRelations,
      ...charts.map((_, index): [string, string, string] => [`chart${index}`, 'chart', chartPart(index)]),
    ]),
  );
  if (cellImages.length > 0) {
    add(
      '/xl/cellimages.xml',
      wsDr('etc:cellImages', cellImages.map((pic) => `<etc:cellImage>${pic}</etc:cellImage>`).join('')),
    );
    add('/xl/_rels/cellimages.xml.rels', relationshipsXml(imageRelations));
  }
  return XLSX.CFB.write(container, { type: 'buffer', fileType: 'zip' }) as Buffer;
}
