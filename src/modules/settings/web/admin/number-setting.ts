import type { ConfigItem } from '../../settings.contract.ts';

type LimitedSetting = Pick<ConfigItem, 'min' | 'max' | 'placeholder'>;

const limitsOf = ({ min, max }: LimitedSetting) => (min === null || max === null ? null : { min, max });

/** What stands below a field: the explanation, and for a number what it has to be within. */
export function settingHint(item: LimitedSetting): string {
  const limits = limitsOf(item);
  const range = limits ? `可填 ${limits.min} 到 ${limits.max}` : '';
  return [item.placeholder, range].filter(Boolean).join('，');
}

/** What is wrong with a number as it was typed; '' when nothing is. */
export function numberProblem(item: LimitedSetting, typed: string): string {
  const limits = limitsOf(item);
  if (!limits) return '';
  const { min, max } = limits;
  const value = /^\s*\d{1,10}\s*$/.test(typed) ? Number(typed) : Number.NaN;
  return value >= min && value <= max ? '' : `请输入 ${min} 到 ${max} 之间的整数`;
}
