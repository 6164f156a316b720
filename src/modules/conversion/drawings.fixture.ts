import XLSX from '@e965/xlsx';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { BOUND_SHEET_RECORD, readRecords } from './sandboxed/sheet/xls-records.ts';
import { insertRecords, makeWorkbook } from './workbook.fixture.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';

const relationshipsXml = (...entries: [id: string, type: string, target: string][]) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries.map(([id, type, target]) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

const anchorXml = (inner: string) =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>6</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>12</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>${inner}<xdr:clientData/></xdr:twoCellAnchor>`;

const shapeXml = (text: string) =>
  `<xdr:sp><xdr:nvSpPr><xdr:cNvPr id="2" name="s"/><xdr:cNvSpPr/></xdr:nvSpPr><xdr:spPr><a:xfrm><a:off x="600000" y="200000"/><a:ext cx="3000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"/></xdr:spPr>${text ? `<xdr:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></xdr:txBody>` : ''}</xdr:sp>`;

const chartFrame = `<xdr:graphicFrame><xdr:nvGraphicFramePr><xdr:cNvPr id="3" name="c"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" r:id="rc"/></a:graphicData></a:graphic></xdr:graphicFrame>`;

const drawingXml = (...anchors: string[]) =>
  `<xdr:wsDr xmlns:xdr="${DRAWING}/spreadsheetDrawing" xmlns:a="${DRAWING}/main" xmlns:r="${RELATIONS}">${anchors.map(anchorXml).join('')}</xdr:wsDr>`;

const chartPointsXml = (kind: 'str' | 'num', values: string[]) =>
  `<c:${kind}Lit><c:ptCount val="${values.length}"/>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Lit>`;

const chart = `<c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main"><c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:barDir val="col"/><c:ser><c:idx val="0"/><c:order val="0"/><c:tx><c:v>North</c:v></c:tx><c:cat>${chartPointsXml('str', ['Q1', 'Q2'])}</c:cat><c:val>${chartPointsXml('num', ['10', '20'])}</c:val></c:ser><c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart></c:chartSpace>`;

/** A picture with its name and no text, as Excel inserts it. */
export const pictureDrawing = drawingXml(
  `<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="Picture 1" descr="a picture"/><xdr:cNvPicPr><a:picLocks noChangeAspect="1"/></xdr:cNvPicPr></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rp"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="2000000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>`,
);

const worksheetXml = (rows: string, hasDrawing: boolean) =>
  `<worksheet xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheetData>${rows}</sheetData>${hasDrawing ? '<drawing r:id="rd"/>' : ''}</worksheet>`;

const contentTypeOverrideXml = (part: string, type: string) =>
  `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`;

const names = ['数据', '图表', '图形'];

/**
 * Builds a workbook: a sheet with a cell, one with a text box and a chart, and one with an empty shape. Excel refers to
 * parts by relative paths, openpyxl by paths from the root of the file.
 */
export function workbookWithDrawings(paths: 'relative' | 'absolute' = 'relative'): Buffer {
  const target = (path: string) => (paths === 'relative' ? path : `/xl/${path.replace(/^\.\.\//, '')}`);
  const types = [
    contentTypeOverrideXml('/xl/workbook.xml', 'spreadsheetml.sheet.main'),
    ...[1, 2, 3].map((sheet) => contentTypeOverrideXml(`/xl/worksheets/sheet${sheet}.xml`, 'spreadsheetml.worksheet')),
    ...[1, 2].map((sheet) => contentTypeOverrideXml(`/xl/drawings/drawing${sheet}.xml`, 'drawing')),
    contentTypeOverrideXml('/xl/charts/chart1.xml', 'drawingml.chart'),
  ];
  return writeZip([
    {
      name: '[Content_Types].xml',
      body: `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${types.join('')}</Types>`,
    },
    { name: '_rels/.rels', body: relationshipsXml(['r1', 'officeDocument', 'xl/workbook.xml']) },
    {
      name: 'xl/workbook.xml',
      body: `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index + 1}"/>`).join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      body: relationshipsXml(
        ...names.map((_, index): [string, string, string] => [
          `r${index + 1}`,
          'worksheet',
          target(`worksheets/sheet${index + 1}.xml`),
        ]),
      ),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      body: worksheetXml('<row r="1"><c r="A1" t="inlineStr"><is><t>cell</t></is></c></row>', false),
    },
    { name: 'xl/worksheets/sheet2.xml', body: worksheetXml('', true) },
    { name: 'xl/worksheets/sheet3.xml', body: worksheetXml('', true) },
    {
      name: 'xl/worksheets/_rels/sheet2.xml.rels',
      body: relationshipsXml(['rd', 'drawing', target('../drawings/drawing1.xml')]),
    },
    {
      name: 'xl/worksheets/_rels/sheet3.xml.rels',
      body: relationshipsXml(['rd', 'drawing', target('../drawings/drawing2.xml')]),
    },
    { name: 'xl/drawings/drawing1.xml', body: drawingXml(shapeXml('Text in a box'), chartFrame) },
    { name: 'xl/drawings/drawing2.xml', body: drawingXml(shapeXml('')) },
    {
      name: 'xl/drawings/_rels/drawing1.xml.rels',
      body: relationshipsXml(['rc', 'chart', target('../charts/chart1.xml')]),
    },
    { name: 'xl/charts/chart1.xml', body: chart },
  ]);
}

const OBJECT = 0x5d;
const TEXT_OBJECT = 0x1b6;
const CONTINUE = 0x3c;

function xlsRecord(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(type, 0);
  head.writeUInt16LE(body.length, 2);
  return Buffer.concat([head, body]);
}

function objectRecords(kind: number, text: string): Buffer {
  const object = Buffer.alloc(26);
  object.writeUInt16LE(0x15, 0);
  object.writeUInt16LE(0x12, 2);
  object.writeUInt16LE(kind, 4);
  if (text === '') return xlsRecord(OBJECT, object);
  const textObject = Buffer.alloc(18);
  textObject.writeUInt16LE(text.length, 10);
  const characters = Buffer.concat([Buffer.from([1]), Buffer.from(text, 'utf16le')]);
  return Buffer.concat([
    xlsRecord(OBJECT, object),
    xlsRecord(TEXT_OBJECT, textObject),
    xlsRecord(CONTINUE, characters),
  ]);
}

export const [PICTURE_OBJECT, TEXT_BOX_OBJECT, NOTE_OBJECT] = [8, 6, 0x19] as const;

type Container = ReturnType<typeof XLSX.CFB.read>;

function rewritePart(container: Container, name: string, rewrite: (xml: string) => string) {
  const part = XLSX.CFB.find(container, name);
  part.content = Buffer.from(rewrite(Buffer.from(part.content).toString('utf8')));
  part.size = part.content.length;
}

/** The workbook above with another drawing on its second sheet, beside these rows. */
export function workbookWithDrawing(part: string, rows = ''): Buffer {
  const container = XLSX.CFB.read(workbookWithDrawings(), { type: 'buffer' });
  rewritePart(container, '/xl/drawings/drawing1.xml', () => part);
  rewritePart(container, '/xl/worksheets/sheet2.xml', () => worksheetXml(rows, true));
  return XLSX.CFB.write(container, { type: 'buffer', fileType: 'zip' });
}

/** The same chart with a copy of the cells that it shows, as Excel writes it. */
const chartOfCells = chart
  .replaceAll('<c:numLit>', '<c:numRef><c:f>数据!$B$2:$C$2</c:f><c:numCache>')
  .replaceAll('</c:numLit>', '</c:numCache></c:numRef>');

const chartSheetTypes: Record<string, string> = {
  '/xl/chartsheets/sheet1.xml': 'spreadsheetml.chartsheet',
  '/xl/drawings/drawing3.xml': 'drawing',
  '/xl/charts/chart2.xml': 'drawingml.chart',
};

/** The workbook above with its third sheet replaced by a chart sheet. */
export function workbookWithChartSheet(hasText: boolean): Buffer {
  const container = XLSX.CFB.read(workbookWithDrawings(), { type: 'buffer' });
  const overrides = Object.entries(chartSheetTypes).map(([name, type]) => contentTypeOverrideXml(name, type));
  rewritePart(container, '/[Content_Types].xml', (xml) => xml.replace('</Types>', `${overrides.join('')}</Types>`));
  rewritePart(container, '/xl/_rels/workbook.xml.rels', (xml) =>
    xml.replace('/worksheet" Target="worksheets/sheet3', '/chartsheet" Target="chartsheets/sheet1'),
  );
  const frame = drawingXml(chartFrame).replaceAll('twoCellAnchor', 'absoluteAnchor');
  const emptyChart = `<c:chartSpace xmlns:c="${DRAWING}/chart"><c:chart><c:plotArea/></c:chart></c:chartSpace>`;
  const parts = {
    '/xl/chartsheets/sheet1.xml': `<chartsheet xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheetViews><sheetView workbookViewId="0"/></sheetViews><drawing r:id="rd"/></chartsheet>`,
    '/xl/chartsheets/_rels/sheet1.xml.rels': relationshipsXml(['rd', 'drawing', '../drawings/drawing3.xml']),
    '/xl/drawings/drawing3.xml': frame,
    '/xl/drawings/_rels/drawing3.xml.rels': relationshipsXml(['rc', 'chart', '../charts/chart2.xml']),
    '/xl/charts/chart2.xml': hasText ? chartOfCells : emptyChart,
  };
  for (const [name, body] of Object.entries(parts)) XLSX.CFB.utils.cfb_add(container, name, Buffer.from(body));
  return XLSX.CFB.write(container, { type: 'buffer', fileType: 'zip' });
}

export const hiddenShapeDrawing = drawingXml(
  shapeXml('HIDDEN SHAPE').replace('name="s"', 'name="s" hidden="true"'),
  shapeXml('Visible shape'),
);

/** Drawing beyond the size limit of the parser. */
export const hugeDrawing = () => drawingXml(shapeXml('x'.repeat(17 * 1024 * 1024)));

/** An xls file of one sheet that holds this object, beside these cells. */
export function xlsWithObject(kind: number, text = '', rows: string[][] = []): Buffer {
  const bytes = makeWorkbook('xls', [{ name: '图形', rows }]);
  return insertRecords(bytes, [objectRecords(kind, text)]);
}

const TEXT_SOURCE = 0x1051;
const SERIES_TEXT = 0x100d;
const CHART_OBJECT = 5;

/** An xls file of one sheet that holds a chart with names: one that the author typed, and one from a cell. */
export function xlsWithSeriesNames(typedName: string, cellText: string, hiddenRows: number[]): Buffer {
  const bytes = makeWorkbook('xls', [{ name: '图形', rows: [], hiddenRows }]);
  const nameRecords = (source: number, name: string) => {
    const text = Buffer.concat([Buffer.from([0, 0, name.length, 1]), Buffer.from(name, 'utf16le')]);
    return [xlsRecord(TEXT_SOURCE, Buffer.from([0, source, 0, 0, 0, 0])), xlsRecord(SERIES_TEXT, text)];
  };
  return insertRecords(bytes, [
    objectRecords(CHART_OBJECT, ''),
    ...nameRecords(1, typedName),
    ...nameRecords(2, cellText),
  ]);
}

const [CHART_SUBSTREAM, CHART_SHEET] = [0x20, 2];

/** An xls file whose only sheet is a chart sheet, which holds a copy of the numbers that it shows. */
export function xlsChartSheet(): Buffer {
  const numbers = [10, 20].map((v) => ({ v, z: '0' }));
  const bytes = makeWorkbook('xls', [{ name: '图形', rows: [numbers] }]);
  const container = XLSX.CFB.read(bytes, { type: 'buffer' });
  const stream = XLSX.CFB.find(container, '/Workbook');
  const book = Buffer.from(stream.content);
  for (const { type, body } of readRecords(book, 0)) {
    if (type !== BOUND_SHEET_RECORD) continue;
    body[5] = CHART_SHEET;
    // The first record of the sheet says what the sheet is.
    book.writeUInt16LE(CHART_SUBSTREAM, body.readUInt32LE(0) + 6);
  }
  stream.content = book;
  return XLSX.CFB.write(container, { type: 'buffer' });
}
