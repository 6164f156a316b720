import { type FrozenPanes, readFrozenPanes } from './frozen-panes.ts';
import { readOdsCellStyles } from './ods-cell-styles.ts';
import { parseOdsFrozenPanes } from './ods-frozen-panes.ts';
import { readOdsPart } from './ods-visibility.ts';
import type { WorkbookFormat } from './sheet.ts';
import { readXlsxStyles, type StyleOfCell } from './visible-cell-styles.ts';
import { readXlsAppearance } from './xls-cell-styles.ts';

type Appearance = {
  stylesOf(name: string): StyleOfCell | undefined;
  frozenPanes: ReadonlyMap<string, FrozenPanes>;
};
type AppearanceSource = {
  file: string;
  format: WorkbookFormat;
  bytes: Buffer;
  /** The content of an OpenDocument workbook, empty for other formats. */
  odsContent: string;
  hiddenNames: ReadonlySet<string>;
};

/** Reads styles and frozen panes, which the library that reads the cells does not report. */
export async function readAppearance(source: AppearanceSource): Promise<Appearance> {
  const { file, format, bytes, odsContent, hiddenNames } = source;
  if (format === 'xlsx')
    return { stylesOf: await readXlsxStyles(file, hiddenNames), frozenPanes: await readFrozenPanes(file) };
  if (format === 'xls') return readXlsAppearance(bytes);
  // A flat file contains its named styles, too.
  if (format === 'fods')
    return { stylesOf: readOdsCellStyles(odsContent, ''), frozenPanes: parseOdsFrozenPanes(odsContent) };
  if (format === 'ods') {
    const stylesOf = readOdsCellStyles(odsContent, await readOdsPart(file, 'styles.xml'));
    return { stylesOf, frozenPanes: parseOdsFrozenPanes(await readOdsPart(file, 'settings.xml')) };
  }
  return { stylesOf: () => undefined, frozenPanes: new Map() };
}
