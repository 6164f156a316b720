import { appendFileSync, existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { listChildPids, measureProcessTree } from '#platform/server/sandbox/process-tree.ts';

declare module 'vitest' {
  interface ProvidedContext {
    browserEndpoint: string;
  }
}

/** The headless shell comes first: it opens a page with a third of the processor time. */
const EXECUTABLE_PATHS = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export function chromiumPath(): string {
  const executablePath = EXECUTABLE_PATHS.find((path) => existsSync(path));
  if (!executablePath) throw new Error('没有找到 Chromium：请安装 Debian 的 chromium 软件包');
  return executablePath;
}

/** Starts one Chromium for the whole run; each test opens its contexts in it. */
export async function setup(project: TestProject) {
  const server = await chromium.launchServer({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Optimized code does not pay off on pages that are open for seconds.
      '--js-flags=--no-opt',
    ],
  });
  project.provide('browserEndpoint', server.wsEndpoint());
  return async () => {
    await reportProcessorTime(server.process().pid ?? 0);
    await server.close();
  };
}

/** Chromium exits without waiting for its child processes, so the kernel adds their time to no parent. */
async function reportProcessorTime(pid: number): Promise<void> {
  const file = process.env.UNCOUNTED_SECONDS_FILE;
  if (!file) return;
  for (const child of listChildPids(pid)) appendFileSync(file, `${(await measureProcessTree(child)).cpuSeconds}\n`);
}
