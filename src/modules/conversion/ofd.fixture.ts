import { writeZip, type ZipMember } from '#platform/server/storage/zip-writer.ts';

/** Builders of OFD files. */

const NAMESPACE = 'xmlns:ofd="http://www.ofdspec.org/2016"';

type OfdPage = {
  /** Objects of the only layer. */
  objects?: string;
  /** Elements before the content, e.g. a template or an area. */
  head?: string;
};
export type OfdOptions = {
  pages?: (string | OfdPage)[];
  /** Width and height in millimetres. */
  size?: [width: number, height: number];
  /** Objects of templates; the number of the first is 901. */
  templates?: string[];
  /** Elements of the public resources, e.g. fonts. */
  resources?: string;
  /** Elements after the pages, e.g. bookmarks or the annotations. */
  documentTail?: string;
  /** Elements of the body of the file, e.g. the signatures. */
  bodyTail?: string;
  title?: string;
  /** Further members, and replacements: null removes one. */
  members?: Record<string, string | Buffer | null>;
};

const xml = (element: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${element}`;

const pageXml = ({ objects = '', head = '' }: OfdPage) =>
  xml(`<ofd:Page ${NAMESPACE}>${head}<ofd:Content><ofd:Layer ID="800">${objects}</ofd:Layer></ofd:Content></ofd:Page>`);

/** Builds a file whose pages have the numbers 1, 2, … */
export function makeOfd({
  pages = [''],
  size = [100, 50],
  templates = [],
  resources = '',
  documentTail = '',
  bodyTail = '',
  title = '',
  members = {},
}: OfdOptions = {}): Buffer {
  const pageList = pages.map((page) => (typeof page === 'string' ? { objects: page } : page));
  const templateList = templates.map((_, index) => `<ofd:TemplatePage ID="${901 + index}" BaseLoc="T${index}.xml"/>`);
  const parts: Record<string, string | Buffer | null> = {
    'OFD.xml': xml(
      `<ofd:OFD ${NAMESPACE} DocType="OFD" Version="1.1"><ofd:DocBody><ofd:DocInfo><ofd:Title>${title}</ofd:Title></ofd:DocInfo><ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot>${bodyTail}</ofd:DocBody></ofd:OFD>`,
    ),
    'Doc_0/Document.xml': xml(
      `<ofd:Document ${NAMESPACE}><ofd:CommonData><ofd:PageArea><ofd:PhysicalBox>0 0 ${size.join(' ')}</ofd:PhysicalBox></ofd:PageArea><ofd:PublicRes>PublicRes.xml</ofd:PublicRes>${templateList.join('')}</ofd:CommonData><ofd:Pages>${pageList
        .map((_, index) => `<ofd:Page ID="${index + 1}" BaseLoc="Pages/Page_${index}/Content.xml"/>`)
        .join('')}</ofd:Pages>${documentTail}</ofd:Document>`,
    ),
    'Doc_0/PublicRes.xml': xml(`<ofd:Res ${NAMESPACE} BaseLoc="Res">${resources}</ofd:Res>`),
    ...Object.fromEntries(templates.map((objects, index) => [`Doc_0/T${index}.xml`, pageXml({ objects })])),
    ...Object.fromEntries(pageList.map((page, index) => [`Doc_0/Pages/Page_${index}/Content.xml`, pageXml(page)])),
    ...members,
  };
  const zipMembers = Object.entries(parts).flatMap(([name, body]): ZipMember[] =>
    body === null ? [] : [{ name, body }],
  );
  return writeZip(zipMembers);
}

/** A rectangle in a color such as "255 0 0". */
export const ofdRectangle = (x: number, y: number, width: number, height: number, color: string, attributes = '') =>
  `<ofd:PathObject ID="1" Boundary="${x} ${y} ${width} ${height}" Stroke="false" Fill="true" ${attributes}><ofd:FillColor Value="${color}"/><ofd:AbbreviatedData>M 0 0 L ${width} 0 L ${width} ${height} L 0 ${height} C</ofd:AbbreviatedData></ofd:PathObject>`;

type OfdTextOptions = {
  x: number;
  y: number;
  size: number;
  font?: number;
  delta?: string;
  color?: string;
  attributes?: string;
};

/** A line of text whose characters are as wide as they are high unless `delta` says otherwise. */
export const ofdText = (
  text: string,
  {
    x,
    y,
    size,
    font = 1,
    delta = `g ${Math.max(1, text.length - 1)} ${size}`,
    color = '0 0 0',
    attributes = '',
  }: OfdTextOptions,
) =>
  `<ofd:TextObject ID="1" Boundary="${x} ${y} ${size * text.length} ${size * 1.2}" Font="${font}" Size="${size}" ${attributes}><ofd:FillColor Value="${color}"/><ofd:TextCode X="0" Y="${size}" DeltaX="${delta}">${text}</ofd:TextCode></ofd:TextObject>`;

export const ofdImage = (resource: number, x: number, y: number, width: number, height: number, attributes = '') =>
  `<ofd:ImageObject ID="1" ResourceID="${resource}" Boundary="${x} ${y} ${width} ${height}" CTM="${width} 0 0 ${height} 0 0" ${attributes}/>`;

export const ofdFonts = (...names: string[]) =>
  `<ofd:Fonts>${names.map((name, index) => `<ofd:Font ID="${index + 1}" FontName="${name}" FamilyName="${name}"/>`).join('')}</ofd:Fonts>`;

/** Pictures with the numbers 501, 502, … */
export const ofdMedia = (...files: string[]) =>
  `<ofd:MultiMedias>${files
    .map(
      (file, index) =>
        `<ofd:MultiMedia ID="${501 + index}" Type="Image"><ofd:MediaFile>${file}</ofd:MediaFile></ofd:MultiMedia>`,
    )
    .join('')}</ofd:MultiMedias>`;

const der = (tag: number, ...parts: (Buffer | string)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(5, 0x84);
  length.writeUInt32BE(body.length, 1);
  return Buffer.concat([Buffer.from([tag]), length, body]);
};

/** An electronic seal of GB/T 38540 with a picture, without valid certificates. */
export function makeSeal(type: string, picture: Buffer): Buffer {
  const integer = (value: number) => der(0x02, Buffer.from([value]));
  const header = der(0x30, der(0x16, 'ES'), integer(4), der(0x16, 'test'));
  const properties = der(
    0x30,
    integer(3),
    der(0x0c, '测试印章'),
    integer(1),
    der(0x30, der(0x04, Buffer.alloc(80, 7))),
  );
  const sealPicture = der(0x30, der(0x16, type), der(0x04, picture), integer(40), integer(40));
  return der(0x30, der(0x30, header, der(0x16, '100001'), properties, sealPicture), der(0x04, Buffer.alloc(64, 9)));
}

/** Options for a signature that stamps a seal on pages: `[page, boundary]`, and a clip. */
export function ofdSignature(seal: Buffer, stamps: { page: number; boundary: string; clip?: string }[]): OfdOptions {
  const annotations = stamps
    .map(
      ({ page, boundary, clip }) =>
        `<ofd:StampAnnot ID="1" PageRef="${page}" Boundary="${boundary}"${clip ? ` Clip="${clip}"` : ''}/>`,
    )
    .join('');
  return {
    bodyTail: '<ofd:Signatures>/Doc_0/Signs/Signatures.xml</ofd:Signatures>',
    members: {
      'Doc_0/Signs/Signatures.xml': xml(
        `<ofd:Signatures ${NAMESPACE}><ofd:Signature ID="1" Type="Seal" BaseLoc="Sign_0/Signature.xml"/></ofd:Signatures>`,
      ),
      'Doc_0/Signs/Sign_0/Signature.xml': xml(
        `<ofd:Signature ${NAMESPACE}><ofd:SignedInfo>${annotations}</ofd:SignedInfo><ofd:SignedValue>SignedValue.dat</ofd:SignedValue></ofd:Signature>`,
      ),
      'Doc_0/Signs/Sign_0/SignedValue.dat': der(0x30, seal, der(0x04, Buffer.alloc(32, 3))),
    },
  };
}

/** Options for annotations of the first page. */
export const ofdAnnotations = (annotations: string): OfdOptions => ({
  documentTail: '<ofd:Annotations>Annotations.xml</ofd:Annotations>',
  members: {
    'Doc_0/Annotations.xml': xml(
      `<ofd:Annotations ${NAMESPACE}><ofd:Page PageID="1"><ofd:FileLoc>Annotation.xml</ofd:FileLoc></ofd:Page></ofd:Annotations>`,
    ),
    'Doc_0/Annotation.xml': xml(`<ofd:PageAnnot ${NAMESPACE}>${annotations}</ofd:PageAnnot>`),
  },
});
