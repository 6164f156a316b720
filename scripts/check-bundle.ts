/** Weighs what public pages load (JS and CSS, gzip) and fails above their budgets. Run after the build. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/** From the outside in: what React Router loads for each page, and how much that may weigh. */
const PAGES = {
  home: { routes: ['root', 'public/shell', 'public/page-boundary', 'home'], budget: 200_000 },
  document: {
    routes: ['root', 'public/shell', 'public/page-boundary', 'public/pages/document'],
    budget: 230_000,
  },
};

type Part = { module: string; imports?: string[]; css?: string[] };
type Assets = { url: string; entry: Part; routes: Record<string, Part | undefined> };

const folder = decodeURIComponent(new URL('../build', import.meta.url).pathname);
const { assets } = (await import(pathToFileURL(`${folder}/server/index.js`).href)) as {
  assets: Assets;
};

function filesOf(routes: string[]): string[] {
  const parts = routes.map((id) => {
    const part = assets.routes[id];
    if (!part) throw new Error(`no route ${id} in the build: is PAGES out of date?`);
    return part;
  });
  const all = [assets.entry, ...parts].flatMap(({ module, imports = [], css = [] }) => [module, ...imports, ...css]);
  return [...new Set([assets.url, ...all])];
}

const kb = (size: number) => `${(size / 1000).toFixed(1)} KB`;

async function check(name: string, routes: string[], budget: number): Promise<boolean> {
  const weighed = await Promise.all(
    filesOf(routes).map(async (file) => {
      const bytes = await readFile(`${folder}/client${file}`);
      return { file, size: gzipSync(bytes, { level: 9 }).length, text: bytes.toString() };
    }),
  );
  weighed.sort((a, b) => b.size - a.size);
  const total = weighed.reduce((sum, { size }) => sum + size, 0);
  if (process.argv.includes('--verbose'))
    for (const { file, size } of weighed) console.log(`${kb(size).padStart(9)}  ${file}`);
  console.log(`${name} page: ${kb(total)} gzip in ${weighed.length} files, budget ${kb(budget)}`);
  // antd marks its elements with this class prefix; it belongs to the back-office alone.
  const stray = weighed.find(({ text }) => text.includes('ant-btn'));
  if (stray) console.error(`antd is in the public bundle: ${stray.file}`);
  if (total > budget) console.error(`the ${name} page is over its budget`);
  return !stray && total <= budget;
}

for (const [name, { routes, budget }] of Object.entries(PAGES))
  if (!(await check(name, routes, budget))) process.exitCode = 1;
