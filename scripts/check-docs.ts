import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Every path, file name, decision and `npm run x` that a document names in backticks, code blocks or links must exist. So
 * must the identifiers that the documents for developers name in backticks.
 */
const documents = [...globSync('*.md'), ...globSync('docs/**/*.md')];
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const problems: string[] = [];
const identifierDocuments = [...globSync('{ARCHITECTURE,CONTRIBUTING}*.md'), 'docs/glossary.md'];
const sourceFiles = globSync('{src,scripts,e2e,migrations}/**/*.{ts,tsx,mjs,sql}');
const sourceText = sourceFiles.map((path) => readFileSync(path, 'utf8')).join('\n');
const sourceWords = new Set(sourceText.match(/[A-Za-z_$][\w$]*/g));
const decisionNumbers = new Set(globSync('docs/decisions/*.md').map((path) => /(\d{4})-[^/]*$/.exec(path)?.[1]));

const CODE_BLOCK = /```[\s\S]*?```/g;
const exists = (path: string) => (path.includes('*') ? globSync(path).length > 0 : existsSync(path));

/** Names after a folder, such as `main, start-site (starts everything)`, are files or folders in it. */
function checkFolderLines(document: string, block: string): void {
  let parent = '';
  for (const [, indent = '', folder = '', names = ''] of block.matchAll(/^( *)([\w./-]+\/) +(.*)$/gm)) {
    if (indent === '') parent = folder;
    const path = indent === '' ? folder : `${parent}${folder}`;
    if (!existsSync(path)) problems.push(`${document}: ${path}`);
    if (indent === '') continue;
    const listedNames = names.replace(/[(（][^)）]*[)）]/g, '').split(/[,、]\s*/);
    for (const name of listedNames.filter((each) => /^[a-z][a-z-]*$/.test(each)))
      if (globSync(`${path}${name}{.ts,.tsx,}`).length === 0) problems.push(`${document}: ${path}${name}`);
  }
}

for (const document of documents) {
  const wholeText = readFileSync(document, 'utf8');
  const text = wholeText.replace(CODE_BLOCK, '');
  for (const [block] of wholeText.matchAll(CODE_BLOCK)) {
    checkFolderLines(document, block);
    for (const [path] of block.matchAll(/(?<![\w./-])(?:src|scripts|e2e|docs|migrations)\/[\w./*-]*\w/g))
      if (!exists(path)) problems.push(`${document}: ${path}`);
  }
  for (const [, first = '', otherNumbers = ''] of wholeText.matchAll(/docs\/decisions\/(\d{4})((?:(?:, |、)\d{4})*)/g))
    for (const number of [first, ...(otherNumbers.match(/\d{4}/g) ?? [])])
      if (!decisionNumbers.has(number)) problems.push(`${document}: docs/decisions/${number}`);
  for (const [, name = ''] of wholeText.matchAll(/npm run (?:-s )?([\w:-]+)/g))
    if (!(name in scripts)) problems.push(`${document}: npm run ${name}`);
  for (const [, path = ''] of text.matchAll(/`((?:src|scripts|e2e|bench|docs|migrations|public)\/[\w./*-]+)`/g))
    if (!exists(path)) problems.push(`${document}: ${path}`);
  // The names of the module `x` are examples.
  for (const [, name = ''] of text.matchAll(/`((?!x\.)[a-z][\w./-]*\.(?:tsx?|mjs|sql))`/g))
    if (!existsSync(name) && !sourceFiles.some((file) => file.endsWith(`/${name}`)))
      problems.push(`${document}: ${name}`);
  for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g))
    if (!existsSync(join(dirname(document), link))) problems.push(`${document}: link ${link}`);
}
const IDENTIFIER = /`((?:[a-z]+(?:[A-Z_]\w*)+|[A-Z][a-z0-9]+(?:[A-Z]\w*)+))(?:\([^`]*)?`/g;
for (const document of identifierDocuments)
  for (const [, name = ''] of readFileSync(document, 'utf8').matchAll(IDENTIFIER))
    if (!sourceWords.has(name)) problems.push(`${document}: ${name}`);
for (const problem of problems) console.error(`does not exist: ${problem}`);
console.log(`${documents.length} documents, ${problems.length} dead references`);
process.exitCode = problems.length > 0 ? 1 : 0;
