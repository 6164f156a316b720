/** Labels of TextDecoder. */
export type TextEncoding =
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | 'gb18030'
  | 'big5'
  | 'shift_jis'
  | 'euc-kr'
  | 'windows-1252';

const COMMON_CHINESE_CHARACTERS =
  '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行' +
  '所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它' +
  '与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新' +
  '己制身果加西月话合回特代内信表化老给世位次度门任常先海通教原东声提立及比员解水名真论处走义各入几口认条平系气' +
  '题活更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直资命山金指许统区保至队形社便空决治' +
  '這個們來為國說時會對於著過發後裡種經麼學現當沒動還進樣開從實軍無與長機關點業將兩間問並應戰頭體見產話給門東' +
  '聲員論處義幾認條氣題別變總電數報結務場計資統區隊決，。、；：？！“”「」（）';
const COMMON_JAPANESE_CHARACTERS = 'のにはをたがでてとしれさいるもなかすら、。ー';
const COMMON_KOREAN_CHARACTERS = '이다는을가의에를하고은한지로사';
const commonLetters = new Set([
  ...COMMON_CHINESE_CHARACTERS,
  ...COMMON_JAPANESE_CHARACTERS,
  ...COMMON_KOREAN_CHARACTERS,
]);

const MAX_SAMPLE_BYTES = 256 * 1024;
/** Minimum share of common letters; a text decoded with a wrong encoding has hardly any. */
const MIN_LIKELIHOOD = 0.15;

/** Detects the encoding from the beginning of a text; null for binary data. */
export function detectEncoding(bytes: Buffer): TextEncoding | null {
  const sample = bytes.subarray(0, MAX_SAMPLE_BYTES);
  const encodingByMark = encodingByByteOrderMark(sample);
  if (encodingByMark) return encodingByMark;
  if (sample.includes(0)) return detectUtf16(sample);
  if (hasControls(sample)) return null;
  if (isUtf8(sample)) return 'utf-8';
  const candidates = (['gb18030', 'big5', 'shift_jis', 'euc-kr'] as const).map((encoding) => ({
    encoding,
    likelihood: shareOfCommonLetters(decodeSample(sample, encoding)),
  }));
  const best = candidates.reduce((a, b) => (b.likelihood > a.likelihood ? b : a));
  if (best.likelihood >= MIN_LIKELIHOOD) return best.encoding;
  return isWestern(sample) ? 'windows-1252' : encodingIfDecodable(best);
}

/** Whether the decoded text has as many common letters as natural text. */
export const isLikelyText = (bytes: Buffer, encoding: TextEncoding): boolean =>
  shareOfCommonLetters(decodeSample(bytes.subarray(0, MAX_SAMPLE_BYTES), encoding)) >= MIN_LIKELIHOOD;

/** A short text may contain only rare letters; it must at least be decodable. */
const encodingIfDecodable = ({ encoding, likelihood }: { encoding: TextEncoding; likelihood: number }) =>
  likelihood >= 0 ? encoding : null;

function encodingByByteOrderMark(bytes: Buffer): TextEncoding | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return null;
}

/** Zero bytes in a text belong to Latin letters, spaces and line ends in UTF-16. */
function detectUtf16(bytes: Buffer): TextEncoding | null {
  const evenLengthBytes = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const candidates = (['utf-16le', 'utf-16be'] as const).map((encoding) => {
    const text = decodeSample(evenLengthBytes, encoding);
    const asciiCount = text.match(/[\t\n\r -~]/g)?.length ?? 0;
    const invalidCount = text.match(/(?![\t\n\r])[\p{Cc}\p{Co}\ufffd\ufffe\uffff]/gu)?.length ?? 0;
    const share = (asciiCount + countCommonLetters(text)) / Math.max(text.length, 1);
    return { encoding, share: invalidCount > text.length / 100 ? 0 : share };
  });
  const best = candidates.reduce((a, b) => (b.share > a.share ? b : a));
  return best.share > 0.2 ? best.encoding : null;
}

const hasControls = (bytes: Buffer): boolean => {
  let controls = 0;
  for (const byte of bytes) if (byte < 32 && ![9, 10, 12, 13, 26, 27].includes(byte)) controls++;
  return controls > bytes.length / 200;
};

/** A character that is cut off at the end of the sample is no error. */
function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

const decodeSample = (bytes: Buffer, encoding: TextEncoding) =>
  new TextDecoder(encoding).decode(bytes, { stream: true });

function countCommonLetters(text: string): number {
  let commonCount = 0;
  for (const letter of text) if (commonLetters.has(letter)) commonCount++;
  return commonCount;
}

/** Share of common letters among all non-ASCII characters; undecodable characters reduce it. */
function shareOfCommonLetters(text: string): number {
  let [letters, commonCount, undecodableCount] = [0, 0, 0];
  for (const letter of text) {
    if (letter <= '\x7f') continue;
    letters++;
    if (commonLetters.has(letter)) commonCount++;
    else if (/[\ufffd\p{Co}\p{Cc}]/u.test(letter)) undecodableCount++;
  }
  return letters === 0 ? -1 : (commonCount - 5 * undecodableCount) / letters;
}

/** Western texts have single non-ASCII letters between ASCII letters. */
function isWestern(bytes: Buffer): boolean {
  let [highBytes, highPairs] = [0, 0];
  bytes.forEach((byte, index) => {
    if (byte < 0x80) return;
    highBytes++;
    if ((bytes[index + 1] ?? 0) >= 0x80) highPairs++;
  });
  return highBytes < bytes.length * 0.3 && highPairs < highBytes * 0.3;
}

/** Removes the byte order mark. */
export const decodeText = (bytes: Buffer, encoding: TextEncoding): string => new TextDecoder(encoding).decode(bytes);
