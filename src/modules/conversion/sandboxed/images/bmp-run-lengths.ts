import { RejectedFileError } from '../rejection-reasons.ts';

type RunLengthImage = { width: number; height: number };

/** Meaning of the second byte after a zero byte; larger values are the length of a literal run. */
const [END_OF_ROW, END_OF_IMAGE, DELTA] = [0, 1, 2];

/** Unpacks the palette indexes of a BMP file with run lengths, row by row from the top. */
export function unpackRunLengths(data: Buffer, { width, height }: RunLengthImage, bits: 4 | 8): Uint8Array {
  const indexes = new Uint8Array(width * height);
  let at = 0;
  let x = 0;
  let rowFromBottom = 0;
  const next = (): number => {
    const byte = data[at++];
    if (byte === undefined) throw new RejectedFileError('incomplete');
    return byte;
  };
  const put = (index: number) => {
    if (x < width && rowFromBottom < height) indexes[(height - 1 - rowFromBottom) * width + x] = index;
    x++;
  };
  /** Two indexes of 4 bits, or one of 8 bits, alternate. */
  const indexIn = (byte: number, position: number) =>
    bits === 8 ? byte : position % 2 === 0 ? byte >> 4 : byte & 0x0f;
  const putLiteralRun = (length: number) => {
    const byteCount = Math.ceil((length * bits) / 8);
    for (let position = 0, byte = 0; position < length; position++) {
      if (bits === 8 || position % 2 === 0) byte = next();
      put(indexIn(byte, position));
    }
    // Literal runs end at an even position.
    if (byteCount % 2 === 1) next();
  };
  while (rowFromBottom < height) {
    const [first, second] = [next(), next()];
    if (first > 0) for (let position = 0; position < first; position++) put(indexIn(second, position));
    else if (second === END_OF_IMAGE) break;
    else if (second === END_OF_ROW) {
      x = 0;
      rowFromBottom++;
    } else if (second === DELTA) {
      x += next();
      rowFromBottom += next();
    } else putLiteralRun(second);
  }
  return indexes;
}
