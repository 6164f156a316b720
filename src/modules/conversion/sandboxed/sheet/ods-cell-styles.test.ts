import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeOds } from '../../workbook.fixture.ts';
import { readWorkbook } from './workbook.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ods-styles-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function readStyles(styles: string, table: string) {
  const file = path.join(folder, 'book.ods');
  writeFileSync(file, makeOds(styles, `<table:table table:name="表">${table}</table:table>`));
  const [sheet] = await readWorkbook(file, 'ods');
  return sheet?.styles;
}

const FO = 'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"';
const style = (name: string, properties: string, parent = '') =>
  `<style:style ${FO} style:name="${name}" style:family="table-cell" ${parent && `style:parent-style-name="${parent}"`}>${properties}</style:style>`;
const textCell = (style = '', repeats = '') =>
  `<table:table-cell ${style && `table:style-name="${style}"`} ${repeats} office:value-type="string"><text:p>字</text:p></table:table-cell>`;
const numberCell = (style: string) =>
  `<table:table-cell table:style-name="${style}" office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell>`;

const head = style(
  'head',
  '<style:table-cell-properties fo:background-color="#FFC000" fo:border="0.05pt solid #000000" fo:wrap-option="wrap"/><style:paragraph-properties fo:text-align="center"/><style:text-properties fo:color="#c00000" fo:font-weight="bold" fo:font-style="italic" style:text-underline-style="solid" style:text-line-through-style="solid"/>',
);
const fromHead = style(
  'child',
  '<style:table-cell-properties fo:background-color="transparent" fo:border-top="none"/><style:text-properties fo:font-weight="normal"/>',
  'head',
);
const headStyle = {
  fill: 'ffc000',
  color: 'c00000',
  bold: true,
  italic: true,
  underline: true,
  strike: true,
  align: 'center',
  wrap: true,
  borders: 'trbl',
};

test('cells of an OpenDocument workbook have fills, fonts, borders and alignment, also of their parent style', async () => {
  const styles = await readStyles(
    head + fromHead,
    `<table:table-row>${textCell('head')}${textCell('child')}</table:table-row>`,
  );
  const { fill: _, bold: __, ...inherited } = headStyle;
  expect(styles).toEqual([[headStyle, { ...inherited, borders: 'rbl' }]]);
});

test('repeated cells and rows, and columns and rows with a default style, have that style', async () => {
  const bold = style('bold', '<style:text-properties fo:font-weight="bold"/>');
  const red = style('red', '<style:text-properties fo:color="#ff0000"/>');
  const styles = await readStyles(
    bold + red,
    `<table:table-column table:default-cell-style-name="red" table:number-columns-repeated="2"/><table:table-row table:number-rows-repeated="2">${textCell('bold', 'table:number-columns-repeated="2"')}</table:table-row><table:table-row table:default-cell-style-name="bold">${textCell()}</table:table-row><table:table-row>${textCell()}</table:table-row>`,
  );
  const [isBold, isRed] = [{ bold: true }, { color: 'ff0000' }];
  expect(styles).toEqual([
    [isBold, isBold],
    [isBold, isBold],
    [isBold, isBold],
    [isRed, isRed],
  ]);
});

test('numbers of an OpenDocument workbook are aligned to the right unless their style sets the alignment', async () => {
  const emptyStyle = style('plain', '');
  const left = style('left', '<style:paragraph-properties fo:text-align="start"/>');
  const row = `<table:table-row>${numberCell('plain')}${numberCell('left')}${textCell('plain')}</table:table-row>`;
  expect(await readStyles(emptyStyle + left, row)).toEqual([[{ align: 'right' }, undefined, undefined]]);
});
