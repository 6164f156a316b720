import { expect, test } from 'vitest';
import { parseOdsFrozenPanes } from './ods-frozen-panes.ts';

const entry = (name: string, items: Record<string, number>) =>
  `<config:config-item-map-entry config:name="${name}">${Object.entries(items)
    .map(([item, value]) => `<config:config-item config:name="${item}" config:type="int">${value}</config:config-item>`)
    .join('')}</config:config-item-map-entry>`;

test('frozen panes of an OpenDocument workbook are read from its settings, and other splits are ignored', () => {
  const tables = [
    entry('首行', { HorizontalSplitMode: 0, VerticalSplitMode: 2, VerticalSplitPosition: 1 }),
    entry('两列', {
      HorizontalSplitMode: 2,
      HorizontalSplitPosition: 2,
      VerticalSplitMode: 0,
      VerticalSplitPosition: 9,
    }),
    entry('拆分', {
      HorizontalSplitMode: 1,
      HorizontalSplitPosition: 300,
      VerticalSplitMode: 1,
      VerticalSplitPosition: 9,
    }),
  ];
  const settings = `<office:settings><config:config-item-map-named config:name="Tables">${tables.join('')}</config:config-item-map-named></office:settings>`;
  expect(parseOdsFrozenPanes(`<office:document>${settings}<office:body/></office:document>`)).toEqual(
    new Map([
      ['首行', { rows: 1, columns: 0 }],
      ['两列', { rows: 0, columns: 2 }],
    ]),
  );
  expect(parseOdsFrozenPanes('')).toEqual(new Map());
});
