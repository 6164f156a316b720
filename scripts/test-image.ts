/**
 * Builds the targets `web` and `full` of the Dockerfile, compares their sizes with the limits, and runs them: first `full`
 * alone, then both as compose.yaml does. Prints sizes and times; exits 1 if a limit is exceeded or a step fails. Removes
 * its containers, and its images unless `--keep` is given.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { containerEngine } from './container-engine.ts';
import { createLocalBaseImage } from './local-base-image.ts';
import { type Images, imageRunner } from './run-images.ts';

const LOCAL_BASE = 'localhost/douku-test-base';
const images: Images = { web: 'localhost/douku-test-web', full: 'localhost/douku-test' };
const maxBytes: Record<keyof Images, number> = { web: 500e6, full: 2.2e9 };
/** Paths that no image may contain: development packages, a second Node, caches, tests, documents. */
const forbiddenPaths = [
  ...['node_modules/vite', 'node_modules/typescript', 'node_modules/vitest', 'node_modules/antd'],
  ...['node_modules/node-linux-*', 'docs', 'e2e', 'src/testing', '/root/.npm', '/home/node/.npm'],
];

const [name, ...flags] = process.argv.slice(2);
const interruption = new AbortController();
const engine = containerEngine(name === 'docker' ? 'docker' : 'podman', interruption.signal);
const isImageRemovalDisabled = flags.includes('--keep');

const inMegabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
const secondsSince = (startedAt: number) => ((performance.now() - startedAt) / 1000).toFixed(0);

/** The base image named in the Dockerfile, or a local one if it cannot be pulled. */
async function chooseBase(): Promise<string> {
  const defaultBase = /^ARG BASE=(.+)$/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1];
  if (!defaultBase) throw new Error('Dockerfile 没有写明 ARG BASE');
  if ((await engine.hasImage(defaultBase)) || (await engine.pull(defaultBase))) return defaultBase;
  if (await engine.hasImage(LOCAL_BASE)) return LOCAL_BASE;
  const startedAt = performance.now();
  console.log(`无法取得 ${defaultBase}，用 debootstrap 制作一个`);
  await createLocalBaseImage(engine, LOCAL_BASE);
  console.log(`基础镜像用了 ${secondsSince(startedAt)} 秒`);
  return LOCAL_BASE;
}

async function build(target: keyof Images, base: string): Promise<string[]> {
  const startedAt = performance.now();
  await engine.build(target, images[target], base);
  const bytes = await engine.sizeBytes(images[target]);
  const limit = maxBytes[target];
  console.log(`${target}：${inMegabytes(bytes)}（上限 ${inMegabytes(limit)}），构建用了 ${secondsSince(startedAt)} 秒`);
  const forbiddenPathsInImage = await engine.listPaths(images[target], forbiddenPaths);
  return [
    ...(bytes > limit ? [`${target} 超过了上限`] : []),
    ...forbiddenPathsInImage.map((path) => `${target} 里不应有 ${path}`),
  ];
}

function workerOptions(): string[] {
  const list = /^ {4}security_opt:\n((?: {6}- .+\n)+)/m.exec(readFileSync('compose.yaml', 'utf8'));
  const options = list?.[1]?.match(/[\w-]+=[\w-]+/g);
  if (!options) throw new Error('compose.yaml 没有写明 worker 的 security_opt');
  return options;
}

/** Removes the images of this test. Unnamed images that existed before belong to other builds. */
async function removeTestImages(existingIds: readonly string[]): Promise<void> {
  await engine.removeImages([images.web, images.full, LOCAL_BASE]);
  const addedIds = (await engine.unnamedImages()).filter((id) => !existingIds.includes(id));
  if (addedIds.length > 0) await engine.removeImages(addedIds);
}

const runner = imageRunner(engine, images, workerOptions());

async function testImages(): Promise<void> {
  const base = await chooseBase();
  const problems = [...(await build('web', base)), ...(await build('full', base))];
  await runner.runComposed(await runner.runAlone());
  if (problems.length > 0) throw new Error(problems.join('；'));
}

async function rejectOnInterruption(): Promise<never> {
  await once(interruption.signal, 'abort');
  throw new Error('测试被中断');
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());
const existingIds = await engine.unnamedImages();
let exitCode = 0;
try {
  await Promise.race([testImages(), rejectOnInterruption()]);
  console.log('镜像测试通过');
} catch (error) {
  console.error(await runner.logs());
  console.error(error);
  exitCode = 1;
} finally {
  await runner.removeAll();
  if (!isImageRemovalDisabled) await removeTestImages(existingIds);
}
process.exit(exitCode);
