/**
 * Builds the targets `web` and `full` of the Dockerfile, compares their sizes with the limits, and runs
 * them: first `full` alone, then both as compose.yaml does. Prints sizes and times; exits 1 when one
 * is above its limit or a step fails. Removes its containers, and its images without `--keep`.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { containerEngine } from './container-engine.ts';
import { type Images, imageWalk } from './image-walk.ts';
import { makeLocalBase } from './local-base-image.ts';

const LOCAL_BASE = 'localhost/douku-test-base';
const images: Images = { web: 'localhost/douku-test-web', full: 'localhost/douku-test' };
const maxBytes: Record<keyof Images, number> = { web: 500e6, full: 2.2e9 };
/** Paths that no target may have: development packages, a second Node, caches, tests, documents. */
const forbiddenPaths = [
  ...['node_modules/vite', 'node_modules/typescript', 'node_modules/vitest', 'node_modules/antd'],
  ...['node_modules/node-linux-*', 'docs', 'e2e', 'src/testing', '/root/.npm', '/home/node/.npm'],
];

const [name, ...flags] = process.argv.slice(2);
const interruption = new AbortController();
const engine = containerEngine(name === 'docker' ? 'docker' : 'podman', interruption.signal);
const isKept = flags.includes('--keep');

const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
const secondsSince = (startedAt: number) => ((performance.now() - startedAt) / 1000).toFixed(0);

/** The base that the Dockerfile names, or a local one where that cannot be pulled. */
async function chooseBase(): Promise<string> {
  const usual = /^ARG BASE=(.+)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
  if (!usual) throw new Error('Dockerfile 没有写明 ARG BASE');
  if ((await engine.hasImage(usual)) || (await engine.pull(usual))) return usual;
  if (await engine.hasImage(LOCAL_BASE)) return LOCAL_BASE;
  const startedAt = performance.now();
  console.log(`无法取得 ${usual}，用 debootstrap 制作一个`);
  await makeLocalBase(engine, LOCAL_BASE);
  console.log(`基础镜像用了 ${secondsSince(startedAt)} 秒`);
  return LOCAL_BASE;
}

async function build(target: keyof Images, base: string): Promise<string[]> {
  const startedAt = performance.now();
  await engine.build(target, images[target], base);
  const bytes = await engine.sizeBytes(images[target]);
  const limit = maxBytes[target];
  console.log(`${target}：${inMegabytes(bytes)}（上限 ${inMegabytes(limit)}），构建用了 ${secondsSince(startedAt)} 秒`);
  const unwanted = await engine.listPaths(images[target], forbiddenPaths);
  return [...(bytes > limit ? [`${target} 超过了上限`] : []), ...unwanted.map((path) => `${target} 里不应有 ${path}`)];
}

/** The security options of the worker in compose.yaml. */
function workerOptions(): string[] {
  const list = /^ {4}security_opt:\n((?: {6}- .+\n)+)/m.exec(readFileSync('compose.yaml', 'utf8'));
  const options = list?.[1]?.match(/[\w-]+=[\w-]+/g);
  if (!options) throw new Error('compose.yaml 没有写明 worker 的 security_opt');
  return options;
}

/** The steps that podman stored before the test belong to other builds. */
async function removeImages(before: readonly string[]): Promise<void> {
  await engine.removeImages([images.web, images.full, LOCAL_BASE]);
  const added = (await engine.unnamedImages()).filter((id) => !before.includes(id));
  if (added.length > 0) await engine.removeImages(added);
}

const walk = imageWalk(engine, images, workerOptions());

async function test(): Promise<void> {
  const base = await chooseBase();
  const problems = [...(await build('web', base)), ...(await build('full', base))];
  await walk.runComposed(await walk.runAlone());
  if (problems.length > 0) throw new Error(problems.join('；'));
}

async function interrupted(): Promise<never> {
  await once(interruption.signal, 'abort');
  throw new Error('测试被中断');
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());
const before = await engine.unnamedImages();
let exitCode = 0;
try {
  await Promise.race([test(), interrupted()]);
  console.log('镜像测试通过');
} catch (error) {
  console.error(await walk.logs());
  console.error(error);
  exitCode = 1;
} finally {
  await walk.removeAll();
  if (!isKept) await removeImages(before);
}
process.exit(exitCode);
