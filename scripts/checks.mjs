// The checks that need no running site: format, lint, types, unused code, architecture, documents.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { root } from './setup.mjs';

const colors = process.stdout.isTTY ? [] : ['--colors=off'];
const typecheck = (name, ...configs) => ({
  name: `types: ${name}`,
  command: 'tsc',
  args: ['-b', ...configs],
});

/** The two longest first, so that two processors end at about the same time. */
export const typeChecks = [
  typecheck('server', 'tsconfig.json'),
  typecheck('web, e2e', 'tsconfig.web.json', 'tsconfig.e2e.json'),
];

/** Looks at the built pages. */
export const bundleCheck = {
  name: 'check-bundle',
  command: 'node',
  args: ['scripts/check-bundle.ts'],
};

/** Every other check is a script of its own: scripts/check-*.ts. */
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
  { name: 'unused code', command: 'knip', args: [] },
  { name: 'format, lint', command: 'biome', args: ['ci', ...colors] },
  ...scripts,
];
