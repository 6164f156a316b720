import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type CheckedFile, checkWithCache } from './vocabulary-cache.ts';
import { pathViolations } from './vocabulary-names.ts';
import { documentViolations } from './vocabulary-prose.ts';
import { parseSource, sourceViolations } from './vocabulary-source.ts';
import { migrationViolations } from './vocabulary-sql.ts';
import { declaredTypes, typesNamedTwice } from './vocabulary-types.ts';

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

function checkFile(file: string, text: string): CheckedFile {
  if (/\.(?:tsx?|[mc]js)$/.test(file)) {
    const source = parseSource(file, text);
    return { violations: sourceViolations(file, text, source), types: declaredTypes(file, source) };
  }
  const migrationProblems = file.startsWith('migrations/') ? migrationViolations(file, text) : [];
  return { violations: [...documentViolations(file, text), ...migrationProblems], types: null };
}

const checkedFiles = checkWithCache(files, checkFile);
const violations = [...paths.flatMap(pathViolations), ...checkedFiles.flatMap((file) => file.violations)];
const types = checkedFiles.flatMap((file) => file.types ?? []);

const problems = [
  ...violations.map(({ file, line, word, instead }) => `${file}:${line}: "${word}": use ${instead}`),
  ...typesNamedTwice(types),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
else process.stdout.write(`vocabulary: ${files.length} files, no replaced word, every exported type named once\n`);
