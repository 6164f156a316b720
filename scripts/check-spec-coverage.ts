import { existsSync, readFileSync } from 'node:fs';

/**
 * docs/spec-coverage.md: a row for every statement of the specification,
 * `| statement | file > name of the test |` (several parted by `<br>`), or `| statement | open |` while it is not built.
 */
const TABLE = 'docs/spec-coverage.md';
const rows = readFileSync(TABLE, 'utf8')
  .split('\n')
  .map((line) => /^\| (.+?) \| (.+?) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, statement = '', shown = '']) => ({ statement, shown }))
  .filter(({ statement }) => statement !== 'Statement' && !/^-+$/.test(statement));

const problems: string[] = [];
let open = 0;
for (const { statement, shown } of rows) {
  if (shown === 'open') {
    open += 1;
    continue;
  }
  for (const reference of shown.split('<br>')) {
    const [file = '', name = ''] = reference.replaceAll('`', '').split(' > ');
    if (!existsSync(file)) problems.push(`${statement}: no file ${file}`);
    else if (!name || !readFileSync(file, 'utf8').includes(name))
      problems.push(`${statement}: no test “${name}” in ${file}`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`${rows.length} statements, ${rows.length - open} shown by tests, ${open} open`);
process.exitCode = problems.length > 0 || rows.length === 0 ? 1 : 0;
