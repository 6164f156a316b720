import type { ZipMember } from '#platform/server/storage/zip-writer.ts';
import type { Palette } from '../demo-document.ts';
import { SLIDE } from './slides.ts';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const TYPE = 'application/vnd.openxmlformats-officedocument';
const names = `xmlns:a="${DRAWING}" xmlns:r="${OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`;

type Relation = [id: string, type: string, target: string];
const relations = (...list: Relation[]) =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

const tree = (shapes: string) =>
  `<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`;

/** Everything of a deck around its slides. */
export function pptxParts(slides: string[], palette: Palette, isShow: boolean): ZipMember[] {
  const override = (part: string, type: string) =>
    `<Override PartName="/ppt/${part}" ContentType="${TYPE}.${type}+xml"/>`;
  const main = isShow ? 'slideshow' : 'presentation';
  const size = `cx="${SLIDE.width * 36_000}" cy="${SLIDE.height * 36_000}"`;
  const emptyMap =
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';
  return [
    {
      name: '[Content_Types].xml',
      body: `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('presentation.xml', `presentationml.${main}.main`)}${override('slideMasters/slideMaster1.xml', 'presentationml.slideMaster')}${override('slideLayouts/slideLayout1.xml', 'presentationml.slideLayout')}${override('theme/theme1.xml', 'theme')}${slides.map((_, index) => override(`slides/slide${index + 1}.xml`, 'presentationml.slide')).join('')}</Types>`,
    },
    { name: '_rels/.rels', body: relations(['r1', 'officeDocument', 'ppt/presentation.xml']) },
    {
      name: 'ppt/presentation.xml',
      body: `${HEAD}<p:presentation ${names}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="m1"/></p:sldMasterIdLst><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="s${index + 1}"/>`).join('')}</p:sldIdLst><p:sldSz ${size}/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      body: relations(
        ['m1', 'slideMaster', 'slideMasters/slideMaster1.xml'],
        ['t1', 'theme', 'theme/theme1.xml'],
        ...slides.map((_, index): Relation => [`s${index + 1}`, 'slide', `slides/slide${index + 1}.xml`]),
      ),
    },
    {
      name: 'ppt/slideMasters/slideMaster1.xml',
      body: `${HEAD}<p:sldMaster ${names}>${tree('')}${emptyMap}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="l1"/></p:sldLayoutIdLst></p:sldMaster>`,
    },
    {
      name: 'ppt/slideMasters/_rels/slideMaster1.xml.rels',
      body: relations(
        ['l1', 'slideLayout', '../slideLayouts/slideLayout1.xml'],
        ['t1', 'theme', '../theme/theme1.xml'],
      ),
    },
    {
      name: 'ppt/slideLayouts/slideLayout1.xml',
      body: `${HEAD}<p:sldLayout ${names}>${tree('')}</p:sldLayout>`,
    },
    {
      name: 'ppt/slideLayouts/_rels/slideLayout1.xml.rels',
      body: relations(['m1', 'slideMaster', '../slideMasters/slideMaster1.xml']),
    },
    { name: 'ppt/theme/theme1.xml', body: theme(palette) },
    ...slides.flatMap((shapes, index): ZipMember[] => [
      {
        name: `ppt/slides/slide${index + 1}.xml`,
        body: `${HEAD}<p:sld ${names}>${tree(shapes)}</p:sld>`,
      },
      {
        name: `ppt/slides/_rels/slide${index + 1}.xml.rels`,
        body: relations(['l1', 'slideLayout', '../slideLayouts/slideLayout1.xml']),
      },
    ]),
  ];
}

function theme({ dark, ink, accent, soft, paper }: Palette): string {
  const colors = {
    dk1: ink,
    lt1: 'FFFFFF',
    dk2: dark,
    lt2: paper,
    accent1: accent,
    accent2: dark,
    accent3: soft,
    accent4: ink,
    accent5: accent,
    accent6: dark,
    hlink: dark,
    folHlink: ink,
  };
  const scheme = Object.entries(colors).map(([name, value]) => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`);
  const face = (name: string) => `<a:latin typeface="${name}"/><a:ea typeface="${name}"/><a:cs typeface=""/>`;
  const solid = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
  const line = `<a:ln w="9525">${solid}</a:ln>`;
  const effect = '<a:effectStyle><a:effectLst/></a:effectStyle>';
  return `${HEAD}<a:theme xmlns:a="${DRAWING}" name="豆库"><a:themeElements><a:clrScheme name="豆库">${scheme.join('')}</a:clrScheme><a:fontScheme name="豆库"><a:majorFont>${face('Noto Serif CJK SC')}</a:majorFont><a:minorFont>${face('Noto Sans CJK SC')}</a:minorFont></a:fontScheme><a:fmtScheme name="豆库"><a:fillStyleLst>${solid.repeat(3)}</a:fillStyleLst><a:lnStyleLst>${line.repeat(3)}</a:lnStyleLst><a:effectStyleLst>${effect.repeat(3)}</a:effectStyleLst><a:bgFillStyleLst>${solid.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
}
