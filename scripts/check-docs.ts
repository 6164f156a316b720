import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Every path, file name and `npm run x` that a document names in backticks or links must exist. So must the identifiers
 * that the documents for developers name in backticks.
 */
const documents = [...globSync('*.md'), ...globSync('docs/**/*.md')];
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const problems: string[] = [];
const identifierDocuments = [...globSync('{ARCHITECTURE,CONTRIBUTING}*.md'), 'docs/glossary.md'];
const sourceFiles = globSync('{src,scripts,e2e,migrations}/**/*.{ts,tsx,mjs,sql}');
const sourceText = sourceFiles.map((path) => readFileSync(path, 'utf8')).join('\n');
const sourceWords = new Set(sourceText.match(/[A-Za-z_$][\w$]*/g));

for (const document of documents) {
  const text = readFileSync(document, 'utf8').replace(/```[\s\S]*?```/g, '');
  for (const [, name = ''] of text.matchAll(/npm run (?:-s )?([\w:-]+)/g))
    if (!(name in scripts)) problems.push(`${document}: npm run ${name}`);
  for (const [, path = ''] of text.matchAll(/`((?:src|scripts|e2e|bench|docs|migrations|public)\/[\w./*-]+)`/g)) {
    const exists = path.includes('*') ? globSync(path).length > 0 : existsSync(path);
    if (!exists) problems.push(`${document}: ${path}`);
  }
  // The names of the module `x` are examples.
  for (const [, name = ''] of text.matchAll(/`((?!x\.)[a-z][\w./-]*\.(?:tsx?|mjs|sql))`/g))
    if (!existsSync(name) && !sourceFiles.some((file) => file.endsWith(`/${name}`)))
      problems.push(`${document}: ${name}`);
  for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g))
    if (!existsSync(join(dirname(document), link))) problems.push(`${document}: link ${link}`);
}
for (const document of identifierDocuments)
  for (const [, name = ''] of readFileSync(document, 'utf8').matchAll(/`([a-z]+(?:[A-Z_]\w*)+)(?:\([^`]*)?`/g))
    if (!sourceWords.has(name)) problems.push(`${document}: ${name}`);
for (const problem of problems) console.error(`does not exist: ${problem}`);
console.log(`${documents.length} documents, ${problems.length} dead references`);
process.exitCode = problems.length > 0 ? 1 : 0;
