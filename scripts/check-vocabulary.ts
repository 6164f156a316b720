import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathViolations, type Violation } from './vocabulary-names.ts';
import { documentViolations } from './vocabulary-prose.ts';
import { parseSource, sourceViolations } from './vocabulary-source.ts';
import { migrationViolations } from './vocabulary-sql.ts';
import { type DeclaredTypes, declaredTypes, typesNamedTwice } from './vocabulary-types.ts';

/** Files that quote replaced words: the rules, the glossary, the schema of 0.1, the specification, Chinese demo texts. */
const EXCLUDED_PATHS =
  /^(?:scripts\/vocabulary[a-z.-]*\.ts|migrations\/0\.1\/|docs\/glossary\.md|docs\/spec-coverage\/|demo\/)/;

const paths = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(file));
const files = paths.filter(
  (file) => /\.(?:tsx?|[mc]js|md|sql|css|ya?ml|sh)$|(?:^|\/)Dockerfile$/.test(file) && !EXCLUDED_PATHS.test(file),
);

const violations: Violation[] = paths.flatMap(pathViolations);
const types: DeclaredTypes[] = [];
for (const file of files) {
  const text = readFileSync(file, 'utf8');
  if (!/\.(?:tsx?|[mc]js)$/.test(file)) {
    violations.push(...documentViolations(file, text));
    if (file.startsWith('migrations/')) violations.push(...migrationViolations(file, text));
    continue;
  }
  const source = parseSource(file, text);
  violations.push(...sourceViolations(file, text, source));
  types.push(declaredTypes(file, source));
}

const problems = [
  ...violations.map(({ file, line, word, instead }) => `${file}:${line}: "${word}": use ${instead}`),
  ...typesNamedTwice(types),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`vocabulary: ${files.length} files, no replaced word, every exported type named once\n`);
