import sharp from 'sharp';
import { palettes } from '../demo-document.ts';
import type { bannerTexts } from '../library/front.ts';

type Wanted = Pick<(typeof bannerTexts)[number], 'drawing' | 'palette'>;
type Colors = (typeof palettes)['pine'];

const WIDTH = 1920;
const HEIGHT = 640;

/** Between 0 and 1, the same in every run. */
const chance = (n: number) => ((n * 2_654_435_761) >>> 8) / 2 ** 24;

/** Words stand in front of it. */
const faint = (drawn: string) => `<g opacity="0.4">${drawn}</g>`;

/** Three rows of books, no two alike. */
function shelf({ accent, soft, paper, ink }: Colors): string {
  const backs = [accent, soft, paper, ink];
  let drawn = '';
  for (let row = 0; row < 3; row += 1) {
    const floor = 210 + row * 210;
    let x = 0;
    for (let book = row * 100; x < WIDTH; book += 1) {
      const width = 18 + chance(book) * 34;
      const height = 96 + chance(book + 7) * 76;
      const fill = backs[Math.floor(chance(book + 13) * backs.length)];
      drawn += `<rect x="${x}" y="${floor - height}" width="${width - 3}" height="${height}" fill="#${fill}"/>`;
      x += width;
    }
    drawn += `<rect x="0" y="${floor}" width="${WIDTH}" height="10" fill="#${ink}"/>`;
  }
  return faint(drawn);
}

/** A moon above ranges, the nearest the darkest. */
function hills({ accent, soft, ink }: Colors): string {
  const range = (top: number, rise: number, fill: string, opacity: number) => {
    const peaks = Array.from({ length: 9 }, (_, at) => {
      const y = top - rise * chance(at + top);
      return `Q ${at * 240 + 120} ${y} ${(at + 1) * 240} ${top}`;
    });
    return `<path d="M 0 ${top} ${peaks.join(' ')} V ${HEIGHT} H 0 Z" fill="#${fill}" opacity="${opacity}"/>`;
  };
  return (
    `<circle cx="1490" cy="170" r="92" fill="#${accent}"/>` +
    range(400, 260, soft, 0.35) +
    range(480, 300, soft, 0.25) +
    range(560, 260, ink, 1)
  );
}

/** Sheets of paper with lines of writing. */
function pages({ accent, soft, paper }: Colors): string {
  let drawn = '';
  for (let sheet = 0; sheet < 12; sheet += 1) {
    const [x, y] = [sheet * 170 - 60, 90 + chance(sheet) * 220];
    const turn = chance(sheet + 3) * 24 - 12;
    const lines = Array.from(
      { length: 9 },
      (_, at) =>
        `<rect x="26" y="${60 + at * 28}" width="${90 + chance(sheet * 9 + at) * 78}" height="8" fill="#${soft}"/>`,
    );
    drawn += `<g transform="translate(${x} ${y}) rotate(${turn})">
      <rect width="220" height="310" fill="#${paper}"/>
      <rect x="26" y="28" width="96" height="14" fill="#${accent}"/>${lines.join('')}</g>`;
  }
  return faint(drawn);
}

const drawings = { shelf, hills, pages };

/** A wide picture for the top of the home page, as PNG. */
export function drawBanner({ drawing, palette }: Wanted): Promise<Buffer> {
  const colors = palettes[palette];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <rect width="${WIDTH}" height="${HEIGHT}" fill="#${colors.dark}"/>${drawings[drawing](colors)}</svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
