import type { DocumentRestrictions } from '../../rendition-meta.ts';
import { childText, findChild, type XmlElement } from './xml-tree.ts';

const DATE_TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/;
/** Files name no time zone; they are made in China. */
const DEFAULT_TIME_ZONE = '+08:00';

/** The element Permissions. Everything is permitted that it does not name; `Export` covers copying. */
export function readPermissions(permissions: XmlElement | null): DocumentRestrictions {
  const period = findChild(permissions, 'ValidPeriod')?.attributes;
  const [from, until] = [parseInstant(period?.StartDate, '00:00:00'), parseInstant(period?.EndDate, '23:59:59')];
  return {
    copying: isFalse(childText(permissions, 'Export')),
    printing: isFalse(findChild(permissions, 'Print')?.attributes.Printable),
    ...(from && { valid_from: from }),
    ...(until && { valid_until: until }),
  };
}

/** The documents of a file are shown as one: each restriction applies to all. */
export function combineRestrictions(list: DocumentRestrictions[]): DocumentRestrictions {
  const from = list
    .flatMap(({ valid_from }) => valid_from ?? [])
    .toSorted()
    .at(-1);
  const until = list
    .flatMap(({ valid_until }) => valid_until ?? [])
    .toSorted()
    .at(0);
  return {
    copying: list.some(({ copying }) => copying),
    printing: list.some(({ printing }) => printing),
    ...(from && { valid_from: from }),
    ...(until && { valid_until: until }),
  };
}

const isFalse = (value = ''): boolean => /^(?:false|0)$/i.test(value.trim());

/** A date without a time means the given time of that day; null for anything else. */
function parseInstant(text = '', defaultTime: string): string | null {
  const [, day, time = defaultTime, zone = DEFAULT_TIME_ZONE] = DATE_TIME.exec(text.trim()) ?? [];
  if (day === undefined) return null;
  const milliseconds = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(milliseconds) ? null : new Date(milliseconds).toISOString();
}
