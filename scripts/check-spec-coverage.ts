import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type CoverageRow,
  declaredTests,
  missingLiterals,
  readRows,
  renumberRows,
  sourceOf,
  specificationText,
  specificationWords,
} from './spec-coverage.ts';

/**
 * docs/spec-coverage: a row for every statement of the specification,
 * `| number | statement | file > name of the test |` (several proofs separated by `<br>`).
 * The table in README.md contains the number of rows of each file, so that a lost row is noticed.
 * `--renumber` renumbers the rows and updates the counts in README.md after rows were added or removed.
 */
const FOLDER = 'docs/spec-coverage';
/** The specification is not part of the repository. If it is beside it, its words are compared. */
const SPECIFICATION = '../shared/spec';
/** Limit for a test with one case, because more statements cannot be checked by one case. */
const MAX_STATEMENTS_PER_TEST = 20;

const INDEX = join(FOLDER, 'README.md');
const INDEX_ROW = /^(\| \[[^\]]+\]\(([\w-]+\.md)\) \|.*\|) (\d+) \|$/gm;

if (process.argv.includes('--renumber')) {
  for (const path of globSync(`${FOLDER}/*-*.md`)) writeFileSync(path, renumberRows(readFileSync(path, 'utf8')));
  const countedIndex = readFileSync(INDEX, 'utf8').replace(INDEX_ROW, (_, row: string, file: string) => {
    const rows = readRows(readFileSync(join(FOLDER, file), 'utf8'));
    return `${row} ${rows.length} |`;
  });
  writeFileSync(INDEX, countedIndex);
}

const problems: string[] = [];
const expectedRows = new Map(
  [...readFileSync(INDEX, 'utf8').matchAll(INDEX_ROW)].map(([, , file = '', rows]) => [file, Number(rows)]),
);
const statementsByTest = new Map<string, number>();

function checkProofs({ number, statement, proofs }: CoverageRow, file: string) {
  const place = `${file} ${number}`;
  const sources: string[] = [];
  for (const proof of proofs) {
    const [path = '', ...words] = proof.split(' > ');
    const name = words.join(' > ');
    if (!existsSync(path)) {
      problems.push(`${place}: no file ${path}`);
      continue;
    }
    const [test, ...namesakes] = declaredTests(path).filter((declaredTest) => declaredTest.name === name);
    if (!test || namesakes.length > 0) {
      problems.push(`${place}: ${test ? 'several tests' : 'no test'} “${name}” in ${path}`);
      continue;
    }
    sources.push(sourceOf(path, test));
    if (!test.isTable) statementsByTest.set(proof, (statementsByTest.get(proof) ?? 0) + 1);
  }
  if (proofs.length === 0) problems.push(`${place}: no proof`);
  for (const literal of missingLiterals(statement, sources.join('\n')))
    problems.push(`${place}: “${literal}” does not occur in the named tests`);
}

/** Section `2` of `product.md` for `product-2-screens.md`; null without the specification. */
function sectionOf(file: string): string | null {
  const [, document = '', section = ''] = /^(\w+)-(\d+)/.exec(file) ?? [];
  const path = join(SPECIFICATION, `${document}.md`);
  if (!existsSync(path)) return null;
  const sections = readFileSync(path, 'utf8').split(/^(?=## \d+\. )/m);
  return specificationText(sections[Number(section)] ?? '');
}

let total = 0;
for (const path of globSync(`${FOLDER}/*-*.md`).sort()) {
  const file = path.slice(dirname(path).length + 1);
  const rows = readRows(readFileSync(path, 'utf8'));
  total += rows.length;
  if (expectedRows.get(file) !== rows.length)
    problems.push(`${file}: ${rows.length} rows, README.md says ${expectedRows.get(file)}`);
  const statements = new Set<string>();
  for (const [index, row] of rows.entries()) {
    if (row.number !== index + 1) problems.push(`${file}: row ${row.number} should be ${index + 1}`);
    if (statements.has(row.statement)) problems.push(`${file} ${row.number}: stated twice`);
    statements.add(row.statement);
    checkProofs(row, file);
  }
  const section = sectionOf(file);
  if (section === null) continue;
  const coveredWords = specificationWords([...statements].join('\n'));
  const missingWords = [...specificationWords(section)].filter((word) => !coveredWords.has(word));
  if (missingWords.length > 0) problems.push(`${file}: words of the specification: ${missingWords.join(' ')}`);
}
for (const file of expectedRows.keys())
  if (!existsSync(join(FOLDER, file))) problems.push(`README.md: no file ${file}`);
for (const [proof, count] of statementsByTest)
  if (count > MAX_STATEMENTS_PER_TEST) problems.push(`${count} statements are proved by ${proof}`);

for (const problem of problems) console.error(problem);
console.log(
  `${total} statements, ${problems.length} problems` +
    (existsSync(SPECIFICATION) ? '' : '; the specification is not available, its words were not compared'),
);
process.exitCode = problems.length > 0 || total === 0 ? 1 : 0;
