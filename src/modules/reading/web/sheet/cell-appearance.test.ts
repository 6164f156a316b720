import { describe, expect, test } from 'vitest';
import { cellAppearance, decodeStyles } from './cell-appearance.ts';

test('decodeStyles returns the style of each cell of a row', () => {
  const [red, bold] = [{ fill: 'ff0000' }, { bold: true as const }];
  const rows = decodeStyles({ styles: [red, bold], runs: [[2, 1, 1, 0, 1, 2], []] });
  expect(rows).toEqual([[red, red, undefined, bold], []]);
});

describe('cellAppearance', () => {
  test('gives text without a colour one that is readable on the fill', () => {
    expect(cellAppearance({ fill: 'ffc000' })).toMatchObject({ backgroundColor: '#ffc000', color: '#1e221d' });
    expect(cellAppearance({ fill: '1f3864' })).toMatchObject({ backgroundColor: '#1f3864', color: '#ffffff' });
  });

  test('keeps the colour of text on a fill, and brightens a dark one without a fill in dark mode', () => {
    expect(cellAppearance({ fill: '1f3864', color: 'ffff00' })?.color).toBe('#ffff00');
    expect(cellAppearance({ color: '000080' })?.color).toMatch(/^light-dark\(#000080, #[89a-f]/);
    expect(cellAppearance({ color: 'ffc000' })?.color).toBe('light-dark(#ffc000, #ffc000)');
  });

  test('draws the top and left borders over the lines of the neighbouring cells', () => {
    expect(cellAppearance({ borders: 'tl' })?.boxShadow).toBe('0 -1px 0 var(--ink-2), -1px 0 0 var(--ink-2)');
    expect(cellAppearance({ borders: 'rb' })).toEqual({
      borderRightColor: 'var(--ink-2)',
      borderBottomColor: 'var(--ink-2)',
    });
  });

  test('combines underline and strike, and is undefined without a style', () => {
    const appearance = cellAppearance({ underline: true, strike: true, italic: true, bold: true, align: 'center' });
    expect(appearance).toEqual({
      textDecorationLine: 'underline line-through',
      fontStyle: 'italic',
      fontWeight: 700,
      textAlign: 'center',
    });
    expect(cellAppearance(undefined)).toBeUndefined();
  });
});
