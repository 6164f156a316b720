import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Every path in backticks or links, and every `npm run x`, named in a document must exist. */
const documents = [...globSync('*.md'), ...globSync('docs/**/*.md')];
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const problems: string[] = [];

for (const document of documents) {
  const text = readFileSync(document, 'utf8').replace(/```[\s\S]*?```/g, '');
  for (const [, name = ''] of text.matchAll(/npm run (?:-s )?([\w:-]+)/g))
    if (!(name in scripts)) problems.push(`${document}: npm run ${name}`);
  for (const [, path = ''] of text.matchAll(/`((?:src|scripts|e2e|bench|docs|migrations|public)\/[\w./*-]+)`/g)) {
    const exists = path.includes('*') ? globSync(path).length > 0 : existsSync(path);
    if (!exists) problems.push(`${document}: ${path}`);
  }
  for (const [, link = ''] of text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g))
    if (!existsSync(join(dirname(document), link))) problems.push(`${document}: link ${link}`);
}
for (const problem of problems) console.error(`does not exist: ${problem}`);
console.log(`${documents.length} documents, ${problems.length} dead references`);
process.exitCode = problems.length > 0 ? 1 : 0;
