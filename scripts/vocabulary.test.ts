import { describe, expect, test } from 'vitest';
import { pathViolations } from './vocabulary-names.ts';
import { documentViolations } from './vocabulary-prose.ts';
import { parseSource, sourceViolations } from './vocabulary-source.ts';
import { migrationViolations } from './vocabulary-sql.ts';
import { declaredTypes, typesNamedTwice } from './vocabulary-types.ts';

const wordsIn = (text: string) => sourceViolations('example.ts', text).map(({ line, word }) => `${line}: ${word}`);

describe('the vocabulary check of names', () => {
  const forbiddenNames = [
    'search_wishes URLWish wish2 takeUpAtOnce takenUp fulfilSome workshops contents wayIn turnedAway sitePass dress gates',
    'useOwnText deskWidth sharpPage fact searchFacts beginnings slip tellingWords likeness meantBy worth foldText keepRows',
    'KEPT_MS seenFirst makeReady turn watchTurn inTurn judges Hopeless OutOfTime usualSize otherwise rereadRows withMade',
    'tells retell takeBack house ancestor torture poison hostileFile beanCount noOne dailySignIn behindTheWalls',
    'MANY_ROWS manyRows MOST_ROWS SPARE AT_ONCE UPLOADS_AT_ONCE WRONG NONE RECOMMENDED DECLARED again',
    'remembered chosen held listed drawn hidden withdrawn dying settled zoomed cancelled inherited declared unlocking gzipped',
  ];
  test.each(forbiddenNames.flatMap((line) => line.split(' ')))('reports the constant %s', (name) => {
    expect(wordsIn(`const ${name} = 1;`)).toEqual([`1: ${name}`]);
  });

  test.each([
    ['a destructured parameter', 'const size = ({ taken }: Row) => 1;', 'taken'],
    ['a parameter', 'const size = (opened: Row) => 1;', 'opened'],
    ['a function', 'function pending() {}', 'pending'],
    ['a destructured field with a new name', 'const { id: deleted } = row;', 'deleted'],
    ['an array element', 'const [failed] = rows;', 'failed'],
    ['a participle in -ed that no list names', 'const transmogrified = 1;', 'transmogrified'],
    ['a participle in -ing that no list names', 'const transmogrifying = 1;', 'transmogrifying'],
    ['an irregular participle with a prefix', 'const rewritten = 1;', 'rewritten'],
    ['a participle as a private field', 'class Row { #tinted = 1; }', '#tinted'],
    ['a participle as a constant', 'const UNSOLVED = 1;', 'UNSOLVED'],
    ['an expected value outside of tests', 'const expected = 1;', 'expected'],
    ['an enum', 'enum Wish { First }', 'Wish'],
    ['a member of an enum', 'enum State { Told }', 'Told'],
    ['a private field', 'class Row { #stored = 1; }', '#stored'],
    ['a getter', 'class Row { get kept() { return 1; } }', 'kept'],
    ['a setter', 'class Row { set facts(value: number) {} }', 'facts'],
    ['an import alias', "import { request as wish } from './request.ts';", 'wish'],
    ['an export alias', 'export { request as wish };', 'wish'],
    ['a default import', "import wish from './request.ts';", 'wish'],
    ['an imported namespace', "import * as wishes from './request.ts';", 'wishes'],
    ['a type parameter', 'type Box<Wish> = { value: Wish };', 'Wish'],
    ['a type', 'type Received = { id: number };', 'Received'],
    ['a quoted property', "const row = { 'kept-rows': 1 };", 'kept-rows'],
    ['a variable named as an option of a library', 'const pass = 1;', 'pass'],
    ['a function with the verb ready', 'function readyPages() {}', 'readyPages'],
    ['an arrow function with the verb ready', 'const ready = () => {};', 'ready'],
    ['a property function with the verb ready', 'const fonts = { readyFonts: () => {} };', 'readyFonts'],
  ])('reports %s', (_, text, name) => {
    expect(wordsIn(text)).toEqual([`1: ${name}`]);
  });

  test.each([
    ['a participle with its noun', 'const foundRows = 1;'],
    ['a bare participle as a destructured field', 'const { stored } = limits;'],
    ['a bare participle as a property', 'type Row = { deleted: boolean }; const row = { sent: 1 };'],
    ['a boolean', 'const isShown = true; const isTinted = true;'],
    [
      'a noun or verb that looks like a participle',
      'const drawing = 1; const red = 2; const seed = 3; function embed() {}',
    ],
    ['a word that is also a participle', 'const left = 1; const run = 2; const cut = 3;'],
    ['a longer word that contains a replaced one', 'const owner = 1; const navigate = 2; const lighthouse = 3;'],
    ['a name that equals a property of every object', 'class Row { constructor: string }'],
    ['an option of a library', 'const options = { keepAlive: true, pass: password };'],
    ['a package named by a replaced word', "import sharp from 'sharp';"],
    ['a path as a property', "const pages = { 'docx/hostile.docx': 1 };"],
    ['the adjective ready', 'const readyPages = 1; const isReady = true;'],
    ['an ordinary use of a replaced word', 'const turnPages = 1; const tableOfContents = 2; const tooManyRows = 3;'],
  ])('accepts %s', (_, text) => {
    expect(wordsIn(text)).toEqual([]);
  });
});

test.each(['value.test.ts', 'value.fixture.ts', 'e2e/reader.ts', 'src/testing/value.ts'])(
  'the vocabulary check of names accepts an expected value in the test file %s',
  (file) => {
    expect(sourceViolations(file, 'const expected = 1;')).toEqual([]);
  },
);

describe('the vocabulary check of SQL in code', () => {
  test.each([
    ['the alias of a column', "query('select count(*) as told from rows');", ['1: told']],
    ['an alias in quotes', 'query(`select 1 as "shown" from rows`);', ['1: shown']],
    ['the alias of a table', `sql\`update \${rows} tinted set id = 1\`;`, ['1: tinted']],
    ['the second of two tables', "query('select 1 from rows r, pages removed');", ['1: removed']],
    ['the alias of a joined table', "query('select 1 from rows r join pages tinted using (id)');", ['1: tinted']],
    ['the alias of a table in a delete statement', "query('delete from rows using pages tinted');", ['1: tinted']],
    ['the alias of the target of an insertion', `sql\`insert into \${rows} as known (id) values (1)\`;`, ['1: known']],
    ['the alias of a subquery', `sql\`select * from (\${rows} limit 1) counted\`;`, ['1: counted']],
    ['the alias of a function', `sql\`from unnest(\${ids}::bigint[]) made (id)\`;`, ['1: made']],
    [
      'common table expressions',
      `sql\`with kept as (select 1), moved (id) as materialized (select 2)\`;`,
      ['kept', 'moved'],
    ],
    ['the line of a name after a value', `sql\`select\n\${ids.map((id) => id)}\nas told\`;`, ['3: told']],
    ['a table', "query('create table pending (id int)');", ['1: pending']],
    ['the alias of a query of Drizzle', "db.select().from(rows).as('counted');", ['1: counted']],
    ['a common table expression of Drizzle', "db.$with('kept').as(rows);", ['1: kept']],
    ['the alias of a table of Drizzle', "alias(rows, 'told');", ['1: told']],
  ])('reports %s', (_, text, expected) => {
    expect(wordsIn(text)).toEqual(expected.map((word) => (word.includes(':') ? word : `1: ${word}`)));
  });

  test.each([
    ['columns of a table', "query('select deleted, rows.pending from rows order by deleted, pending');"],
    ['the words of a lock', "query('select id from rows for update skip locked');"],
    [
      'clauses that look like aliases',
      `sql\`insert into \${rows} (id) overriding system value select 1 returning id\`;`,
    ],
    ['a materialized query', `sql\`with rows as not materialized (select 1) select 1\`;`],
    ['text of SQL in a string', 'query("select \'known as told\' from rows");'],
    ['text that is not SQL', "const message = 'select the rows known as told'; const note = 'with some rows as kept';"],
  ])('accepts %s', (_, text) => {
    expect(wordsIn(text)).toEqual([]);
  });
});

describe('the vocabulary check of comments', () => {
  const forbiddenPhrases = [
    'Whoever reads it; somebody; someone; anybody; no one; made anew; sent at once; so many rows; takes it up; taken up',
    'taking the award back; take back; the own page; the house; the gate; turns the visitor away; turned away; a wish',
    'workshops; the daily sign-in; at a desk; a sharp page; the facts of a document; likeness; beginnings of words; slips',
    'the worth of a field; folded text; it rereads the row; the word meant by it; telling words; the owner is told; poison',
    'hostile input; ten beans; it judges the file; it waits for its turn; seen first; out of time; the way in',
  ];
  test.each(forbiddenPhrases.flatMap((line) => line.split('; ')))('reports "%s"', (comment) => {
    expect(wordsIn(`/** ${comment}. */\nconst rows = 1;`)).toHaveLength(1);
  });

  test.each([
    ['after code', 'const rows = 1; // Sent at once.', ['1: at once']],
    ['directly after code', 'const rows = 1;// Sent at once.', ['1: at once']],
    ['over two lines of a block', '/**\n * Sent at\n * once.\n */\nconst rows = 1;', ['2: at once']],
    ['over two line comments', '// Sent at\n// once.\nconst rows = 1;', ['1: at once']],
    ['in JSX', 'const page = <p>{/* Sent at once. */}</p>;', ['1: at once']],
    ['after a pattern with a comment mark', 'const pattern = /[/*]/; // Nobody.', ['1: Nobody']],
  ])('reports a phrase %s', (_, text, expected) => {
    expect(wordsIn(text)).toEqual(expected);
  });

  test.each([
    ['text that is neither a comment nor a test name', "const message = 'nobody';"],
    ['an address in a string', "const address = 'https://whoever.example';"],
    ['a comment mark in a template', `const text = \`// nobody \${1} // nobody\`;`],
    ['a comment mark in the text of a page', 'const page = <p>https://nobody.example</p>;'],
    ['words of two comments', '// Sent at\nconst rows = 1;\n// once.'],
    ['a limit', '// Takes up to 5 s, and takes up space.\nconst rows = 1;'],
  ])('accepts %s', (_, text) => {
    expect(wordsIn(text)).toEqual([]);
  });
});

describe('the vocabulary check of test names', () => {
  test.each([
    ['of a test', "test('nobody is asked', () => {});"],
    ['of a table', "test.each([1])('nobody is asked', () => {});"],
    ['with a value', `test(\`nobody of \${group} is asked\`, () => {});`],
    ['of an imported alias', "import { test as unitTest } from 'vitest'; unitTest('nobody is asked', () => {});"],
    ['of an extended test', "const siteTest = test.extend({}); siteTest('nobody is asked', () => {});"],
    ['of a conditional test', "const linuxTest = isLinux ? test : test.skip; linuxTest('nobody is asked', () => {});"],
    ['in a row', "test.each(['nobody'])('%s is asked', () => {});"],
    ['in the first column of a row', "test.each([['nobody', 1]])('%s is asked', () => {});"],
    ['in a field of a row', "test.each([{ name: 'nobody' }])('$name is asked', () => {});"],
    ['in a row of a constant', "const cases = ['nobody'] as const; test.each(cases)('%s is asked', () => {});"],
    ['in a spread row', "test.each([...['nobody']])('%s is asked', () => {});"],
    ['in a key', "test.each(Object.entries({ 'nobody else': 1 }))('%s is asked', () => {});"],
  ])('reports a word %s', (_, text) => {
    expect(wordsIn(text)).toHaveLength(1);
  });

  test('accepts paths in a table', () => {
    expect(wordsIn("test.each(['docx/hostile.docx'])('%s is converted', () => {});")).toEqual([]);
  });
});

describe('the vocabulary check of documents', () => {
  test('reports the line, and ignores code spans', () => {
    expect(documentViolations('a.md', 'First line.\nIt is indexed anew by `anew()`.')).toEqual([
      { file: 'a.md', line: 2, word: 'anew', instead: 'again, re-…' },
    ]);
  });

  test.each([
    ['a paragraph', 'a.md', 'It is sent at\nonce.', 1],
    ['a document after an open code span', 'a.md', 'An open `span.\n\nSent at once. `Code`.', 1],
    ['an SQL comment', 'a.sql', '-- It is sent at\n-- once.\nselect 1;', 1],
    ['a CSS comment', 'a.css', '/* It is sent at\n   once. */', 1],
    ['a YAML comment', 'a.yaml', '# It is sent at\n# once.', 1],
    ['a comment of a shell script', 'a.sh', '# It is sent at\n# once.', 1],
    ['two paragraphs', 'a.md', 'It is sent at\n\nonce.', 0],
    ['a color of the design', 'a.css', '.note { color: var(--bean); }', 0],
  ])('reads %s', (_, file, text, count) => {
    expect(documentViolations(file, text)).toHaveLength(count);
  });
});

test.each([
  ['src/modules/wish/list.ts', ['wish']],
  ['src/modules/search/take-up.ts', ['take-up']],
  ['docs/decisions/0001-hostile-files.md', ['0001-hostile-files']],
  ['src/modules/search/found.test.ts', ['found']],
  ['src/modules/search/tinted.ts', ['tinted']],
  ['.github/workshops/test.yml', ['workshops']],
  ['src/modules/search/index-documents.ts', []],
  ['src/modules/conversion/sandboxed/related.ts', []],
])('the vocabulary check of the path %s reports its forbidden parts', (path, expected) => {
  expect(pathViolations(path).map(({ word }) => word)).toEqual(expected);
});

test.each([
  ['a table', 'create table page_wishes (id bigint);', ['page_wishes']],
  ['a bare participle as a table', 'create table if not exists pending (id bigint);', ['pending']],
  ['a column', 'create table pages (\n  facts text\n);', ['facts']],
  [
    'a function and its variable',
    'create function tell_users() as $$ declare own int; told int; $$;',
    ['tell_users', 'told'],
  ],
  ['a trigger', 'create trigger judge_page after insert on pages;', ['judge_page']],
  ['an index', 'create unique index pages_worth on pages (id);', ['pages_worth']],
  ['no string or comment', "-- wish\nselect 'wish', deleted from pages; /* wish */", []],
  ['no word of PL/pgSQL', 'create function f() as $$ begin if not found then return; end if; end $$;', []],
])('the vocabulary check of a migration reports %s', (_, text, expected) => {
  expect(migrationViolations('a.sql', text).map(({ word }) => word)).toEqual(expected);
});

describe('the check of type names', () => {
  const types = (file: string, text: string) => declaredTypes(file, parseSource(file, text));
  const row = types('row.ts', 'export type Row = 1;');

  test.each([
    ['a class', 'row.ts', 'export class Row {}'],
    ['an enum', 'row.ts', 'export enum Row {}'],
    ['a component', 'row.tsx', 'export function Row() {}'],
    ['a component in a constant', 'row.tsx', 'export const Row = () => null;'],
    ['a type in a list of exports', 'row.ts', 'type Row = 2; export { type Row };'],
    ['a local type', 'row.ts', 'type Row = 2;'],
    ['a local component', 'row.tsx', 'function Row() {}'],
    ['a type in a function', 'row.ts', 'function list() {\n  type Row = 2;\n}'],
  ])('reports %s with the name of an exported type', (_, file, text) => {
    expect(typesNamedTwice([row, types(`web/${file}`, text)])).toHaveLength(1);
  });

  test.each([
    ['a re-export', 'export { type Row } from "./row.ts";'],
    ['a component that is loaded later', 'const Row = lazy(() => import("./row.tsx"));'],
    ['a route export', 'export function Layout() {}'],
  ])('accepts %s', (_, text) => {
    const layout = types('layout.ts', 'export type Layout = 1;');
    expect(typesNamedTwice([row, layout, types('web/row.tsx', text)])).toEqual([]);
  });

  test('accepts local types of one name in several files', () => {
    expect(typesNamedTwice([types('a.ts', 'type Props = 1;'), types('b.ts', 'type Props = 2;')])).toEqual([]);
  });
});
