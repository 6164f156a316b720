import { writeFileSync } from 'node:fs';
import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';
import type { Crop } from './read-anchors.ts';

/** `body` is the XML of a chart, or a picture that only LibreOffice draws (EMF, WMF). Sizes are in pixels. */
export type Slide = { kind: 'chart' | 'emf' | 'wmf'; body: Buffer; width: number; height: number; crop: Crop | null };
type SlideSize = { width: number; height: number };

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006';
const NAMESPACES = `xmlns:a="${DRAWING}/main" xmlns:r="${OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;
const EMU_PER_PIXEL = 9_525;

/**
 * Writes a presentation with a chart of a workbook on each slide. LibreOffice draws charts of slides from the copy of
 * the numbers that they contain, so the cells are not needed.
 */
export function writeSlides(file: string, slides: Slide[], size: SlideSize, theme: Buffer | null): void {
  const members: ZipMember[] = [
    { name: '[Content_Types].xml', body: contentTypes(slides) },
    { name: '_rels/.rels', body: relationships([['r', 'officeDocument', 'ppt/presentation.xml']]) },
    { name: 'ppt/presentation.xml', body: presentationXml(slides, size) },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      body: relationships([
        ['master', 'slideMaster', 'slideMasters/slideMaster1.xml'],
        ...slides.map((_, index): Relationship => [`s${index}`, 'slide', `slides/slide${index}.xml`]),
        ...themeRelationship(theme, 'theme/theme1.xml'),
      ]),
    },
    { name: 'ppt/slideMasters/slideMaster1.xml', body: masterXml },
    {
      name: 'ppt/slideMasters/_rels/slideMaster1.xml.rels',
      body: relationships([
        ['layout', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
        ...themeRelationship(theme, '../theme/theme1.xml'),
      ]),
    },
    { name: 'ppt/slideLayouts/slideLayout1.xml', body: layoutXml },
    {
      name: 'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
      body: relationships([['master', 'slideMaster', '../slideMasters/slideMaster1.xml']]),
    },
    ...(theme ? [{ name: 'ppt/theme/theme1.xml', body: theme }] : []),
    ...slides.flatMap(slideMembers),
  ];
  writeFileSync(file, writeZip(members));
}

type Relationship = [id: string, type: string, target: string];

const relationships = (entries: Relationship[]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${entries
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

const themeRelationship = (theme: Buffer | null, target: string): Relationship[] =>
  theme ? [['theme', 'theme', target]] : [];

const partOf = ({ kind }: Slide, index: number) =>
  kind === 'chart' ? `charts/chart${index}.xml` : `media/picture${index}.${kind}`;

function contentTypes(slides: Slide[]): string {
  const override = (part: string, type: string) =>
    `<Override PartName="/ppt/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`;
  const overrides = [
    override('presentation.xml', 'presentationml.presentation.main'),
    override('slideMasters/slideMaster1.xml', 'presentationml.slideMaster'),
    override('slideLayouts/slideLayout1.xml', 'presentationml.slideLayout'),
    override('theme/theme1.xml', 'theme'),
    ...slides.flatMap((slide, index) => [
      override(`slides/slide${index}.xml`, 'presentationml.slide'),
      ...(slide.kind === 'chart' ? [override(partOf(slide, index), 'drawingml.chart')] : []),
    ]),
  ];
  return `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="emf" ContentType="image/x-emf"/><Default Extension="wmf" ContentType="image/x-wmf"/>${overrides.join('')}</Types>`;
}

function presentationXml(slides: Slide[], { width, height }: SlideSize): string {
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index}"/>`).join('');
  return `<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="master"/></p:sldMasterIdLst><p:sldIdLst>${ids}</p:sldIdLst><p:sldSz cx="${emu(width)}" cy="${emu(height)}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`;
}

const emu = (pixels: number) => Math.round(pixels * EMU_PER_PIXEL);

const shapes = (content = '') =>
  `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${content}</p:spTree></p:cSld>`;

const colors = ['accent1', 'accent2', 'accent3', 'accent4', 'accent5', 'accent6', 'hlink', 'folHlink'];
const masterXml = `<p:sldMaster ${NAMESPACES}>${shapes()}<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" ${colors.map((name) => `${name}="${name}"`).join(' ')}/><p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="layout"/></p:sldLayoutIdLst></p:sldMaster>`;
const layoutXml = `<p:sldLayout ${NAMESPACES}>${shapes()}</p:sldLayout>`;

function slideMembers(slide: Slide, index: number): ZipMember[] {
  const isChart = slide.kind === 'chart';
  const part = partOf(slide, index);
  return [
    {
      name: `ppt/slides/slide${index}.xml`,
      body: `<p:sld ${NAMESPACES}>${shapes(isChart ? chartXml(slide) : pictureXml(slide))}</p:sld>`,
    },
    {
      name: `ppt/slides/_rels/slide${index}.xml.rels`,
      body: relationships([
        ['layout', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
        ['part', isChart ? 'chart' : 'image', `../${part}`],
      ]),
    },
    { name: `ppt/${part}`, body: isChart ? withoutWorkbook(slide.body) : slide.body },
  ];
}

const boundsXml = ({ width, height }: Slide) => `<a:off x="0" y="0"/><a:ext cx="${emu(width)}" cy="${emu(height)}"/>`;

const chartXml = (slide: Slide) =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="chart"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>${boundsXml(slide)}</p:xfrm><a:graphic><a:graphicData uri="${DRAWING}/chart"><c:chart xmlns:c="${DRAWING}/chart" r:id="part"/></a:graphicData></a:graphic></p:graphicFrame>`;

const pictureXml = (slide: Slide) =>
  `<p:pic><p:nvPicPr><p:cNvPr id="2" name="picture"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill><a:blip r:embed="part"/>${cropXml(slide)}<a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr><a:xfrm>${boundsXml(slide)}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`;

function cropXml({ crop }: Slide): string {
  if (!crop) return '';
  const [left, top, right, bottom] = [crop.left, crop.top, crop.right, crop.bottom].map((share) =>
    Math.round(share * 100_000),
  );
  return `<a:srcRect l="${left}" t="${top}" r="${right}" b="${bottom}"/>`;
}

const WORKBOOK_LINK = /<((?:[\w.-]+:)?externalData)\b[^<>]*(?:\/>|>[\s\S]*?<\/\1>)/g;

/** A chart of a slide may refer to a workbook of its own, which is not in the presentation. */
const withoutWorkbook = (chart: Buffer) => chart.toString('utf8').replace(WORKBOOK_LINK, '');
