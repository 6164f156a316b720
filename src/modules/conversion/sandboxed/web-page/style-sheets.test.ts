import { expect, test } from 'vitest';
import { readStyleSheets } from './style-sheets.ts';

const css = 'p{display:none}';

test.each(['screen and (max-width: 600px)', 'not screen', 'not all', 'print', 'print, screen and (color)'])(
  'readStyleSheets ignores a style element with the media query "%s"',
  (media) => {
    expect(readStyleSheets(`<style media="${media}">${css}</style>`)).toEqual([]);
  },
);

test.each(['', ' ', 'all', 'screen', 'SCREEN', 'print, screen'])(
  'readStyleSheets reads a style element with the media query "%s"',
  (media) => {
    expect(readStyleSheets(`<style media="${media}">${css}</style>`)).toEqual([css]);
  },
);
