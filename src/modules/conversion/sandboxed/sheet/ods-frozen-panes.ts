import { DomUtils } from 'htmlparser2';
import { findAttributeValue, findElementsByLocalName, parseXml } from '../xml-elements.ts';
import { type FrozenPanes, MAX_FROZEN } from './frozen-panes.ts';

/** Value of a split that is frozen; another one scrolls. */
const FROZEN_SPLIT = 2;
const SETTINGS = /<office:settings\b[\s\S]*?<\/office:settings>/;

/** Frozen panes of an OpenDocument workbook by sheet, from its settings. A flat file contains them beside the cells. */
export function parseOdsFrozenPanes(xml: string): Map<string, FrozenPanes> {
  const settings = parseXml(Buffer.from(SETTINGS.exec(xml)?.[0] ?? ''));
  const tables = findElementsByLocalName(settings, 'config-item-map-named').filter(
    ({ attribs }) => findAttributeValue(attribs, 'name') === 'Tables',
  );
  const panes = new Map<string, FrozenPanes>();
  for (const { attribs, children } of findElementsByLocalName(tables, 'config-item-map-entry')) {
    const items = new Map(
      findElementsByLocalName(children, 'config-item').map((item) => [
        findAttributeValue(item.attribs, 'name'),
        Number(DomUtils.textContent(item)) || 0,
      ]),
    );
    const countFrozen = (direction: 'Horizontal' | 'Vertical') =>
      items.get(`${direction}SplitMode`) === FROZEN_SPLIT
        ? Math.min(MAX_FROZEN, Math.max(0, items.get(`${direction}SplitPosition`) ?? 0))
        : 0;
    const [rows, columns] = [countFrozen('Vertical'), countFrozen('Horizontal')];
    if (rows + columns > 0) panes.set(findAttributeValue(attribs, 'name'), { rows, columns });
  }
  return panes;
}
