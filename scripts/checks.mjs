// The checks that need no running site: format, lint, types, unused code, architecture, documents.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const colors = process.stdout.isTTY ? [] : ['--colors=off'];
const typecheck = (name, ...configs) => ({
  name: `types: ${name}`,
  // Not by the name `tsc`: a dependency of another package has a program of this name, too. Several threads would take
  // twice the processor time on two cores, and no less time.
  command: 'node',
  args: ['node_modules/@typescript/native/bin/tsc', '-b', '--singleThreaded', ...configs],
});

/** The two longest checks start first, so that two processors finish at about the same time. */
export const typeChecks = [
  typecheck('server', 'tsconfig.json'),
  typecheck('web, e2e', 'tsconfig.web.json', 'tsconfig.e2e.json'),
];

/** Needs the built pages. */
export const bundleCheck = {
  name: 'check-bundle',
  command: 'node',
  args: ['scripts/check-bundle.ts'],
};

/** All scripts/check-*.ts, except the one that needs a build. */
const scripts = readdirSync(path.join(root, 'scripts'))
  .filter((name) => /^check-.*\.ts$/.test(name) && name !== 'check-bundle.ts')
  .sort()
  .map((name) => ({
    name: name.replace(/\.ts$/, ''),
    command: 'node',
    args: [path.join('scripts', name)],
  }));

export const checks = [
  ...typeChecks,
  { name: 'unused code', command: 'knip', args: ['--cache'] },
  { name: 'format, lint', command: 'biome', args: ['ci', ...colors] },
  ...scripts,
];
