import ts from 'typescript';

/** A use of a word or pattern that docs/glossary.md replaces. */
export type Violation = { file: string; line: number; word: string; instead: string };

/** Words that names must not contain, and their replacements. */
const NAME_WORDS = new Map(
  Object.entries({
    wish: 'request or queue',
    wishes: 'requests or queue',
    workshop: 'sandboxed converter',
    desk: 'viewport, desktop',
    sharp: 'hiRes',
    slips: 'singleEditVariants',
    telling: 'keywords',
    likeness: 'related',
    worth: 'weight',
    torture: 'stress',
    tortured: 'stress',
    poison: 'slow document',
    hostile: 'malicious',
    bean: 'credit',
    beans: 'credit',
    hopeless: 'permanent error',
    retell: 'update',
    reread: 'invalidate',
    somebody: 'the actor',
    whoever: 'the actor',
    nobody: 'the actor',
    usual: 'default',
    otherwise: 'fallback',
    atonce: 'concurrent, per request',
    gate: 'site access',
    dress: 'login assets',
    judge: 'classify',
    beginnings: 'prefix keys',
    facts: 'metadata',
    keep: 'cache, upsert, persist, store',
    keeps: 'caches, stores',
    kept: 'cached, stored, existing',
    keeper: 'staff, administrator',
    tell: 'notify, report',
    told: 'notified, reported',
    retold: 'updated',
    own: 'my…, account…',
    ancestor: 'moredoc',
  }),
);

/** Names that contain such a word for a reason. */
const ALLOWED_NAMES = new Set([
  // Options of libraries and standards.
  ...['keepAlive', 'keepAliveTimeout', 'keepAliveInitialDelayMillis', 'keepNext'],
  // Error codes and values of the public API.
  ...['ownDocument', 'beyondOwn', 'kept'],
]);

/** Names that do not say what they hold: a participle needs a noun. */
const BARE_NAMES = new Set(
  ['found', 'shown', 'known', 'kept', 'asked', 'wanted', 'told', 'made', 'seen', 'given', 'taken']
    .concat(['most', 'many', 'few', 'spare', 'usual', 'otherwise', 'anew'])
    .concat(['at_once', 'in_all', 'at_most']),
);

/** The same for names that the code chooses: variables, parameters, functions. Fields of rows and APIs may have them. */
const BARE_DECLARATIONS = new Set(
  [
    'accepted acknowledged added again all allowed any applied attached banned both broken cached changed clicked',
    'collapsed compressed connecting converted copied counted created creating damaged decoded deleted deleting described',
    'detected done editing elapsed encoded encrypted ended erased existing exited exported extended failed failing',
    'fetching filled filtered finished focused following forbidden forged forwarded generated grouped guessed handled',
    'hydrated ignored imported indexed installed limited linked loaded loading locked marked matched missed missing more',
    'narrowed nested none normalized nothing only opened ordered others packed parsed paused pending performed pinned plain',
    'positioned posted printed proxied published ranked received recommended refused rejected remaining renamed rendered',
    'required restored reviewed rounded running same sanitized scored scrolled selected sent shared skipped sorted started',
    'stolen stopped stored tried typed unchanged unfinished unreviewed updating uploaded used violated waiting what who',
    'written wrong',
  ].flatMap((line) => line.split(' ')),
);

/** Patterns that comments, test names and documents must not contain. */
const PROSE: [RegExp, string][] = [
  [/\bwhoever\b/i, 'name the actor'],
  [/\bsomebody\b/i, 'name the actor'],
  [/\bnobody\b/i, 'name the actor'],
  [/\banew\b/i, 'again, re-…'],
  [/\bat once\b/i, 'together or immediately'],
  [/\bso many\b/i, 'the number of'],
  [/\bt(?:aken?|ook) up\b/i, 'index'],
  [/\bbehind the walls\b/i, 'in the sandbox'],
  [/\b(?:the|an) own\b/i, 'my…, account…, or the noun alone'],
  [/\bthe house\b/i, 'the site'],
  [/\bthe ancestor\b/i, 'moredoc'],
  [/\bturned away\b/i, 'refused'],
  [/\bwish(?:es|ed)?\b/i, 'request'],
  [/\bworkshop\b/i, 'sandboxed converter'],
  [/\bat a desk\b/i, 'on desktop'],
  [/\btelling words?\b/i, 'keywords'],
  [/\b(?:torture|poison)\b/i, 'stress, slow document'],
  [/\bbeans?\b/i, 'credit'],
];

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .split(' ');

function nameProblem(name: string, isChosen: boolean): [word: string, instead: string] | null {
  if (isChosen && BARE_DECLARATIONS.has(name)) return [name, `a noun: ${name} what?`];
  if (ALLOWED_NAMES.has(name)) return null;
  if (BARE_NAMES.has(name.toLowerCase())) return [name, 'a noun: found what?'];
  for (const word of wordsOf(name)) {
    const instead = NAME_WORDS.get(word);
    if (instead !== undefined) return [name, instead];
  }
  return null;
}

const proseProblems = (text: string): [word: string, instead: string][] =>
  PROSE.flatMap(([pattern, instead]): [string, string][] => {
    const match = pattern.exec(text);
    return match ? [[match[0], instead]] : [];
  });

const isDeclaredName = (node: ts.Identifier): boolean => {
  const { parent } = node;
  return (
    (ts.isVariableDeclaration(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isTypeAliasDeclaration(parent) ||
      ts.isInterfaceDeclaration(parent) ||
      ts.isClassDeclaration(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyAssignment(parent) ||
      ts.isBindingElement(parent)) &&
    parent.name === node
  );
};

/** A variable, parameter or function. A destructured field counts only under a new name. */
function isChosenName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent))
    return parent.name === node && (parent.propertyName !== undefined || ts.isArrayBindingPattern(parent.parent));
  return (
    (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isFunctionDeclaration(parent)) &&
    parent.name === node
  );
}

const TEST_FUNCTIONS = new Set(['test', 'it', 'describe']);

/** The name of a test or of a group of tests, if this call declares one. */
function testName(node: ts.CallExpression): ts.StringLiteralLike | null {
  let callee: ts.Expression = node.expression;
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee) || ts.isTaggedTemplateExpression(callee))
    callee = ts.isTaggedTemplateExpression(callee) ? callee.tag : callee.expression;
  const [first] = node.arguments;
  if (!first || !ts.isStringLiteralLike(first)) return null;
  return ts.isIdentifier(callee) && TEST_FUNCTIONS.has(callee.text) ? first : null;
}

export function sourceViolations(file: string, text: string): Violation[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const violations: Violation[] = [];
  const add = (position: number, problems: [string, string][]) => {
    const line = source.getLineAndCharacterOfPosition(position).line + 1;
    for (const [word, instead] of problems) violations.push({ file, line, word, instead });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isDeclaredName(node)) {
      const problem = nameProblem(node.text, isChosenName(node));
      if (problem) add(node.getStart(), [problem]);
    }
    const name = ts.isCallExpression(node) ? testName(node) : null;
    if (name) add(name.getStart(), proseProblems(name.text));
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const match of text.matchAll(/\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g))
    add(match.index, proseProblems(match[0].replace(/\n\s*\*/g, '')));
  return violations;
}

export const documentViolations = (file: string, text: string): Violation[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      proseProblems(line.replace(/`[^`]*`/g, '')).map(([word, instead]) => ({ file, line: index + 1, word, instead })),
    );

/** Types that a file exports under a name. Re-exports are not declarations. */
export function exportedTypes(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  return source.statements.flatMap((statement) => {
    const isType = ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement);
    const isExported = isType && statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    return isExported ? [statement.name.text] : [];
  });
}
