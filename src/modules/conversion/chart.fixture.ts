import path from 'node:path';
import { openZip } from './sandboxed/flow/zip-reader.ts';
import { SLIDES_PRESENTATION } from './sandboxed/sheet-pictures/drawing-slides.ts';

const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';

export const pointsXml = (values: string[]) =>
  `<c:ptCount val="${values.length}"/>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}`;

/** A reference to cells, with a copy of their values or without one. */
export const referenceXml = (kind: 'str' | 'num', formula: string, values?: string[]) =>
  `<c:${kind}Ref><c:f>${formula}</c:f>${values ? `<c:${kind}Cache>${pointsXml(values)}</c:${kind}Cache>` : ''}</c:${kind}Ref>`;

export const seriesXml = (index: number, content: string) =>
  `<c:ser><c:idx val="${index}"/><c:order val="${index}"/>${content}</c:ser>`;

/** XML with characters in place of their numbers. */
export const decodeCharacterNumbers = (xml: string) =>
  xml.replace(/&#x([\da-f]{1,6});/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

/** XML of the first chart that LibreOffice draws, in the folder of a conversion. */
export async function slideChartIn(folder: string): Promise<string> {
  const slides = await openZip(path.join(folder, SLIDES_PRESENTATION));
  const chart = await slides.read('ppt/charts/chart0.xml');
  slides.close();
  return decodeCharacterNumbers(chart?.toString('utf8') ?? '');
}

export const PLOT_VISIBLE_ONLY = '<c:plotVisOnly val="1"/>';

/** A column chart with a legend. */
export const columnChart = (series: string, plotVisOnly = PLOT_VISIBLE_ONLY) =>
  `<?xml version="1.0" encoding="UTF-8"?><c:chartSpace xmlns:c="${DRAWING}/chart" xmlns:a="${DRAWING}/main" xmlns:c15="http://schemas.microsoft.com/office/drawing/2012/chart"><c:chart><c:autoTitleDeleted val="1"/><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/>${series}<c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:delete val="0"/><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea><c:legend><c:legendPos val="r"/></c:legend>${plotVisOnly}</c:chart></c:chartSpace>`;
