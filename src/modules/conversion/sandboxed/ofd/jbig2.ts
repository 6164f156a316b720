const FILE_SIGNATURE = Buffer.from('974a42320d0a1a0a', 'hex');
const PAGE_INFORMATION = 48;
const END_OF_PAGE = 49;
const END_OF_FILE = 51;
const UNKNOWN_LENGTH = 0xffffffff;
const MAX_SEGMENTS = 10_000;

type Jbig2Segment = { type: number; page: number; header: Buffer; length: number };
export type Jbig2Image = { width: number; height: number; segments: Buffer };

/**
 * The segments of the first page, as PDF stores them: without the header of the file and the marks of the ends. Throws
 * for other data.
 */
export function readJbig2(bytes: Buffer): Jbig2Image {
  const isFile = bytes.subarray(0, 8).equals(FILE_SIGNATURE);
  const flags = isFile ? bytes.readUInt8(8) : 1;
  const isSequential = (flags & 1) !== 0;
  let at = isFile ? ((flags & 2) !== 0 ? 9 : 13) : 0;
  const segments: { segment: Jbig2Segment; data: Buffer }[] = [];
  const waitingSegments: Jbig2Segment[] = [];
  const readData = (segment: Jbig2Segment) => {
    const end = segment.length === UNKNOWN_LENGTH ? bytes.length : Math.min(bytes.length, at + segment.length);
    segments.push({ segment, data: bytes.subarray(at, end) });
    at = end;
  };
  while (at + 11 <= bytes.length && segments.length + waitingSegments.length < MAX_SEGMENTS) {
    const segment = readSegmentHeader(bytes, at);
    at += segment.header.length;
    if (isSequential) readData(segment);
    else waitingSegments.push(segment);
    if (segment.type === END_OF_FILE) break;
  }
  waitingSegments.forEach(readData);
  const page = segments.find(({ segment }) => segment.type === PAGE_INFORMATION);
  if (!page) throw new Error('no page in the JBIG2 data');
  const [width, height] = [page.data.readUInt32BE(0), page.data.readUInt32BE(4)];
  if (width === 0 || height === 0 || height === UNKNOWN_LENGTH) throw new Error('a JBIG2 page without a size');
  const isUsed = ({ type, page: number }: Jbig2Segment) =>
    type !== END_OF_PAGE && type !== END_OF_FILE && (number === 0 || number === page.segment.page);
  const parts = segments.flatMap(({ segment, data }) => (isUsed(segment) ? [segment.header, data] : []));
  return { width, height, segments: Buffer.concat(parts) };
}

function readSegmentHeader(bytes: Buffer, start: number): Jbig2Segment {
  const number = bytes.readUInt32BE(start);
  const flags = bytes.readUInt8(start + 4);
  let at = start + 5;
  let references = bytes.readUInt8(at) >> 5;
  if (references < 7) at += 1;
  else {
    references = bytes.readUInt32BE(at) & 0x1fffffff;
    at += 4 + Math.ceil((references + 1) / 8);
  }
  at += references * (number <= 256 ? 1 : number <= 65_536 ? 2 : 4);
  const hasLongPage = (flags & 0x40) !== 0;
  const page = hasLongPage ? bytes.readUInt32BE(at) : bytes.readUInt8(at);
  at += hasLongPage ? 4 : 1;
  const length = bytes.readUInt32BE(at);
  return { type: flags & 0x3f, page, header: bytes.subarray(start, at + 4), length };
}
