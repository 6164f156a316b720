import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { documentViolations, exportedTypes, sourceViolations, type Violation } from './vocabulary.ts';

/** Files that quote replaced words: the rules, the glossary, the schema of 0.1, the specification, Chinese demo texts. */
const EXCLUDED =
  /^(?:scripts\/vocabulary(?:\.test)?\.ts|migrations\/0\.1\/|docs\/glossary\.md|docs\/spec-coverage\/|demo\/)/;

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => /\.(?:tsx?|[mc]js|md|sql)$/.test(file) && !EXCLUDED.test(file) && existsSync(file));

const violations: Violation[] = [];
const filesOfType = new Map<string, string[]>();
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  if (/\.(?:md|sql)$/.test(file)) {
    violations.push(...documentViolations(file, text));
    continue;
  }
  violations.push(...sourceViolations(file, text));
  for (const name of exportedTypes(file, text)) filesOfType.set(name, [...(filesOfType.get(name) ?? []), file]);
}

const problems = [
  ...violations.map(({ file, line, word, instead }) => `${file}:${line}: "${word}": use ${instead}`),
  ...[...filesOfType]
    .filter(([, declaringFiles]) => declaringFiles.length > 1)
    .map(([name, declaringFiles]) => `type ${name} is exported by ${declaringFiles.join(', ')}: name it once`),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`vocabulary: ${files.length} files, no replaced word, every exported type named once\n`);
