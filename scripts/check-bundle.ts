/** Measures the JS and CSS that public pages load (gzip) and fails above their budgets. Run after the build. */
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Routes that React Router loads for each page, outermost first, and the budget in bytes. */
const PAGES = {
  home: { routes: ['root', 'public/shell', 'public/page-boundary', 'home'], budget: 200_000 },
  document: {
    routes: ['root', 'public/shell', 'public/page-boundary', 'public/pages/document'],
    budget: 230_000,
  },
};

type BundlePart = { module: string; imports?: string[]; css?: string[] };
type Assets = { url: string; entry: BundlePart; routes: Record<string, BundlePart | undefined> };

const folder = decodeURIComponent(new URL('../build', import.meta.url).pathname);
const { assets } = (await import(pathToFileURL(`${folder}/server/index.js`).href)) as {
  assets: Assets;
};

function listFiles(routes: string[]): string[] {
  const parts = routes.map((id) => {
    const part = assets.routes[id];
    if (!part) throw new Error(`no route ${id} in the build: is PAGES out of date?`);
    return part;
  });
  const files = [assets.entry, ...parts].flatMap(({ module, imports = [], css = [] }) => [module, ...imports, ...css]);
  return [...new Set([assets.url, ...files])];
}

const formatKilobytes = (size: number) => `${(size / 1000).toFixed(1)} KB`;

async function checkBudget(name: string, routes: string[], budget: number): Promise<boolean> {
  const assetFiles = await Promise.all(
    listFiles(routes).map(async (file) => {
      const bytes = await readFile(`${folder}/client${file}`);
      return { file, size: gzipSync(bytes, { level: 9 }).length, text: bytes.toString() };
    }),
  );
  assetFiles.sort((a, b) => b.size - a.size);
  const total = assetFiles.reduce((sum, { size }) => sum + size, 0);
  if (process.argv.includes('--verbose'))
    for (const { file, size } of assetFiles) console.log(`${formatKilobytes(size).padStart(9)}  ${file}`);
  console.log(
    `${name} page: ${formatKilobytes(total)} gzip in ${assetFiles.length} files, budget ${formatKilobytes(budget)}`,
  );
  // This class prefix identifies antd, which only the back-office may load.
  const adminAsset = assetFiles.find(({ text }) => text.includes('ant-btn'));
  if (adminAsset) console.error(`antd is in the public bundle: ${adminAsset.file}`);
  if (total > budget) console.error(`the ${name} page is over its budget`);
  return !adminAsset && total <= budget;
}

for (const [name, { routes, budget }] of Object.entries(PAGES))
  if (!(await checkBudget(name, routes, budget))) process.exitCode = 1;
