import { randomInt } from 'node:crypto';
import { loadImageLibrary } from '#platform/server/load-image-library.ts';
import { glyphStrokes, UNAMBIGUOUS_LETTERS } from './captcha-glyphs.ts';

export type CaptchaKind = 'digit' | 'math' | 'string';
type Question = { displayedText: string; answer: string };

const randomBetween = (low: number, high: number) => low + (randomInt(10_000) / 10_000) * (high - low);
const pickCharacter = (from: string) => from[randomInt(from.length)] ?? '';
const generateCharacters = (length: number, make: () => string) => Array.from({ length }, make).join('');

export function createQuestion(kind: CaptchaKind, length: number): Question {
  if (kind === 'math') {
    const [first, second] = [randomInt(10, 50), randomInt(1, 10)];
    const isDifference = randomInt(2) === 1;
    const answer = String(isDifference ? first - second : first + second);
    return { displayedText: `${first}${isDifference ? '-' : '+'}${second}=?`, answer };
  }
  const text = generateCharacters(length, () =>
    pickCharacter(kind === 'digit' ? '0123456789' : `${UNAMBIGUOUS_LETTERS}3479`),
  );
  return { displayedText: text, answer: text };
}

export async function drawCaptcha(text: string, width: number, height: number): Promise<string> {
  const step = width / (text.length + 1);
  const size = Math.min(step * 0.68, height * 0.5) / 4.6;
  const characters = [...text].map((character, index) => {
    const jitter = (value: number) => (value * size + randomBetween(-0.9, 0.9)).toFixed(1);
    const strokes = glyphStrokes(character).map((stroke) =>
      stroke.map(({ x, y }) => `${jitter(x - 2)},${jitter(y - 3)}`).join(' '),
    );
    const x = step * (index + 1) + randomBetween(-step / 10, step / 10);
    const y = height / 2 + randomBetween(-height / 12, height / 12);
    const lines = strokes.map((points) => `<polyline points="${points}"/>`).join('');
    const move = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${randomBetween(-18, 18).toFixed(1)}) skewX(${randomBetween(-12, 12).toFixed(1)})`;
    return `<g transform="${move}" stroke="hsl(${randomInt(110, 200)} 45% ${randomInt(22, 34)}%)" stroke-width="${randomBetween(2.4, 3.4).toFixed(1)}">${lines}</g>`;
  });
  const lines = Array.from({ length: 5 }, () => {
    const [from, bend, to] = [randomBetween(0, height), randomBetween(0, height), randomBetween(0, height)];
    return `<path d="M0 ${from.toFixed(1)} Q ${randomBetween(0, width).toFixed(1)} ${bend.toFixed(1)} ${width} ${to.toFixed(1)}" stroke="hsl(${randomInt(90, 220)} 30% 55%)" stroke-width="1.2"/>`;
  });
  const dots = Array.from({ length: 50 }, () => {
    const [x, y] = [randomBetween(0, width), randomBetween(0, height)];
    return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="1" fill="hsl(140 20% 60%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#f6f4ee"/>${dots.join('')}<g fill="none" stroke-linecap="round" stroke-linejoin="round">${lines.join('')}${characters.join('')}</g></svg>`;
  const openImage = await loadImageLibrary();
  const picture = await openImage(Buffer.from(svg)).png({ palette: true }).toBuffer();
  return `data:image/png;base64,${picture.toString('base64')}`;
}
