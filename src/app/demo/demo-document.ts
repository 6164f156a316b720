/** Colours without their `#`: a dark ground, ink on paper, an accent, a soft tone and the paper. */
export type Palette = { dark: string; ink: string; accent: string; soft: string; paper: string };

export const palettes = {
  pine: { dark: '1F4A3D', ink: '22302B', accent: 'D9A441', soft: 'DCE8E0', paper: 'FAF7F0' },
  indigo: { dark: '24345C', ink: '232A3B', accent: 'E0784F', soft: 'DDE3F0', paper: 'F8F6F1' },
  cinnabar: { dark: '8C2F24', ink: '34231F', accent: 'E3B64F', soft: 'F3DFD6', paper: 'FBF6EE' },
  plum: { dark: '4B2A4A', ink: '31232F', accent: 'E59A7B', soft: 'EADFEA', paper: 'FAF6F5' },
  lake: { dark: '145A6B', ink: '1E2E33', accent: 'F0A65A', soft: 'D6E9EC', paper: 'F6F8F5' },
  ochre: { dark: '8A5A1E', ink: '33291C', accent: '2F6B5E', soft: 'F1E5CF', paper: 'FBF7EC' },
  slate: { dark: '2E3540', ink: '262B33', accent: '5FB0A5', soft: 'E2E6EA', paper: 'F7F7F5' },
} satisfies Record<string, Palette>;

type Design = 'field' | 'band' | 'side' | 'sun' | 'plain' | 'official';

export type Cover = {
  /** The title as it is broken on a cover. */
  lines: string[];
  subtitle: string;
  author: string;
  design: Design;
  palette: keyof typeof palettes;
};

export type DemoCell = string | number;
export type DemoSheet = { name: string; rows: DemoCell[][]; widths?: number[] };

export type Content =
  | { kind: 'article'; cover: Cover; body: string; layout?: 'prose' | 'poems' }
  | { kind: 'deck'; cover: Cover; body: string }
  | { kind: 'workbook'; sheets: () => DemoSheet[] }
  | { kind: 'book'; cover: Cover; body: string }
  | { kind: 'text'; encoding: 'utf-8' | 'utf-16le' | 'gb18030' | 'big5'; text: string };

export type DemoDocument = {
  title: string;
  ext: string;
  /** Titles from the top down. */
  category: [string, string];
  /** Position among the demo users. */
  owner: number;
  price: number;
  /** So many pages are read without buying; all, unless said. */
  preview?: number;
  isRecommended?: boolean;
  daysAgo: number;
  keywords: string;
  description: string;
  content: Content;
};
