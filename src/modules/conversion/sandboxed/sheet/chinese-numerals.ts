/** Excel's [DBNum1] (〇一二), [DBNum2] (零壹贰) and [DBNum3] (full-width digits). */
export type NumeralStyle = 1 | 2 | 3;

const digits: Record<NumeralStyle, string> = {
  1: '〇一二三四五六七八九',
  2: '零壹贰叁肆伍陆柒捌玖',
  3: '０１２３４５６７８９',
};
const units: Record<1 | 2, string[]> = { 1: ['', '十', '百', '千'], 2: ['', '拾', '佰', '仟'] };
const groupUnits = ['', '万', '亿', '兆'];
/** Larger numbers have no common reading; they are written digit by digit. */
const MAX_DIGITS = 16;

/** Spells each digit separately: 2024 becomes 二〇二四. */
export const spellDigits = (text: string, style: NumeralStyle): string =>
  text.replace(/\d/g, (digit) => digits[style][Number(digit)] ?? digit);

/** Spells the number as it is read: 1203.5 becomes 一千二百〇三.五. */
export const spellNumber = (text: string, style: NumeralStyle): string =>
  text.replace(/(\d+)(\.\d+)?/, (_, whole: string, decimals = '') => {
    if (style === 3 || whole.length > MAX_DIGITS) return spellDigits(whole + decimals, style);
    return spellWhole(whole, style) + spellDigits(decimals, style);
  });

function spellWhole(whole: string, style: 1 | 2): string {
  const zero = digits[style][0] ?? '';
  const groups = whole.replace(/^0+(?=\d)/, '').match(/\d{1,4}(?=(?:\d{4})*$)/g) ?? [];
  let spelledText = '';
  for (const [index, group] of groups.entries()) {
    const value = Number(group);
    if (value === 0) continue;
    // Zeros before this group are read as one zero.
    if (spelledText !== '' && (group.startsWith('0') || spelledText.endsWith(zero))) spelledText += zero;
    else if (spelledText !== '' && Number(groups[index - 1]) === 0) spelledText += zero;
    spelledText += spellGroup(String(value), style) + (groupUnits[groups.length - 1 - index] ?? '');
  }
  return spelledText || zero;
}

function spellGroup(group: string, style: 1 | 2): string {
  const zero = digits[style][0] ?? '';
  const spelledDigits = [...group].map((digit, index) =>
    digit === '0' ? zero : (digits[style][Number(digit)] ?? '') + (units[style][group.length - 1 - index] ?? ''),
  );
  const spelledText = spelledDigits.join('').replace(new RegExp(`${zero}+`, 'g'), zero);
  return spelledText.endsWith(zero) ? spelledText.slice(0, -zero.length) : spelledText;
}

/** Spells years digit by digit, days and hours as they are read (12 is 十二, not 一十二). */
export const spellDate = (text: string, style: NumeralStyle): string =>
  text.replace(/\d+/g, (digitRun) =>
    digitRun.length > 2 || style === 3
      ? spellDigits(digitRun, style)
      : spellNumber(digitRun, style).replace(/^一十/, '十'),
  );
