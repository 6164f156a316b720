import { expect, test } from 'vitest';
import { readStyleSheets } from './style-sheets.ts';

const css = 'p{display:none}';

test.each(['screen and (max-width: 600px)', 'not screen', 'not all', 'print', 'print, screen and (color)'])(
  'a style element with the media query "%s" is not read',
  (media) => {
    expect(readStyleSheets(`<style media="${media}">${css}</style>`)).toEqual([]);
  },
);

test.each(['', ' ', 'all', 'screen', 'SCREEN', 'print, screen'])(
  'a style element with the media query "%s" is read',
  (media) => {
    expect(readStyleSheets(`<style media="${media}">${css}</style>`)).toEqual([css]);
  },
);
