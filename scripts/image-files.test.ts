import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The script and every script that it imports, by their paths from the root. */
function withImports(script: string): string[] {
  const imports = [...read(script).matchAll(/from '\.\/([\w-]+\.mjs)'/g)];
  return [script, ...imports.flatMap(([, name]) => withImports(`scripts/${name}`))];
}

test('the Dockerfile copies every script that the douku command imports', () => {
  const scripts = new Set(withImports('scripts/douku.mjs'));
  expect(scripts.size).toBeGreaterThan(2);
  const copiedScripts: string[] = read('Dockerfile').match(/scripts\/[\w-]+\.\w+/g) ?? [];
  expect([...scripts].filter((script) => !copiedScripts.includes(script))).toEqual([]);
});

test('compose.yaml builds the target web for the site and the target full for the worker', () => {
  const targets = [...read('compose.yaml').matchAll(/^ {2}(\w+):\n(?: {4}.*\n)*? {6}target: (\w+)/gm)];
  expect(targets.map(([, service, target]) => [service, target])).toEqual([
    ['web', 'web'],
    ['worker', 'full'],
  ]);
  const stages = [...read('Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, name]) => name);
  expect(stages).toContain('web');
  // `docker build` without a target builds the last stage.
  expect(stages.at(-1)).toBe('full');
});

test('every function that a command of the Dockerfile calls is exported by the module that the command imports', async () => {
  const commands = [...read('Dockerfile').matchAll(/import\('\.\/(src\/[^']+)'\)\.then\(\((\w+)\) => (.+)\)"/g)];
  expect(commands.length).toBeGreaterThan(0);
  for (const [, file = '', name, code = ''] of commands) {
    const calledFunctions = [...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(
      ([, functionName]) => functionName,
    );
    expect(Object.keys(await import(path.join(root, file)))).toEqual(expect.arrayContaining(calledFunctions));
  }
});
