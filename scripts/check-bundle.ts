/** Weighs what the public home page loads (JS and CSS, gzip) and fails above the budget. Run after the build. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUDGET = 200_000;
/** From the outside in: what React Router loads for `/`. */
const HOME_ROUTES = ['root', 'public/shell', 'public/page-boundary', 'home'];

type Part = { module: string; imports?: string[]; css?: string[] };
type Assets = { url: string; entry: Part; routes: Record<string, Part | undefined> };

async function homeFiles(folder: string) {
  const server = pathToFileURL(`${folder}/server/index.js`).href;
  const { assets } = (await import(server)) as { assets: Assets };
  const parts = HOME_ROUTES.map((id) => {
    const part = assets.routes[id];
    if (!part) throw new Error(`no route ${id} in the build: is HOME_ROUTES out of date?`);
    return part;
  });
  const all = [assets.entry, ...parts].flatMap(({ module, imports = [], css = [] }) => [
    module,
    ...imports,
    ...css,
  ]);
  return [...new Set([assets.url, ...all])];
}

const folder = new URL('../build', import.meta.url).pathname;
const files = await homeFiles(decodeURIComponent(folder));
const weighed = await Promise.all(
  files.map(async (file) => {
    const bytes = await readFile(`${decodeURIComponent(folder)}/client${file}`);
    return { file, size: gzipSync(bytes, { level: 9 }).length, text: bytes.toString() };
  }),
);
weighed.sort((a, b) => b.size - a.size);
const total = weighed.reduce((sum, { size }) => sum + size, 0);
const kb = (size: number) => `${(size / 1000).toFixed(1)} KB`;

if (process.argv.includes('--verbose')) {
  for (const { file, size } of weighed) console.log(`${kb(size).padStart(9)}  ${file}`);
}
console.log(`home page: ${kb(total)} gzip in ${files.length} files, budget ${kb(BUDGET)}`);

// antd marks its elements with this class prefix; it belongs to the back-office alone.
const stray = weighed.find(({ text }) => text.includes('ant-btn'));
if (stray) console.error(`antd is in the public bundle: ${stray.file}`);
if (total > BUDGET) console.error('the home page is over its budget');
process.exitCode = stray || total > BUDGET ? 1 : 0;
