import ts from 'typescript';
import { nameProblem, type Problem, type Violation } from './vocabulary-names.ts';
import { commentViolations, proseViolations } from './vocabulary-prose.ts';
import { sqlNames } from './vocabulary-sql-strings.ts';
import { createTestNameReader } from './vocabulary-test-names.ts';

export const parseSource = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(
    file,
    text,
    { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    false,
    ts.ScriptKind.TSX,
  );

const isField = (parent: ts.Node): boolean =>
  ts.isMethodDeclaration(parent) ||
  ts.isMethodSignature(parent) ||
  ts.isPropertyDeclaration(parent) ||
  ts.isPropertySignature(parent) ||
  ts.isPropertyAssignment(parent) ||
  ts.isEnumMember(parent) ||
  ts.isNamedTupleMember(parent);

/** A declaration whose name the code chooses. */
const isNamedDeclaration = (parent: ts.Node): boolean =>
  ts.isVariableDeclaration(parent) ||
  ts.isFunctionDeclaration(parent) ||
  ts.isFunctionExpression(parent) ||
  ts.isAccessor(parent) ||
  ts.isParameter(parent) ||
  ts.isTypeParameterDeclaration(parent) ||
  ts.isTypeAliasDeclaration(parent) ||
  ts.isInterfaceDeclaration(parent) ||
  ts.isClassLike(parent) ||
  ts.isEnumDeclaration(parent) ||
  ts.isModuleDeclaration(parent) ||
  ts.isNamespaceImport(parent) ||
  ts.isNamespaceExport(parent) ||
  ((ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) && parent.propertyName !== undefined);

type NameKind = 'field' | 'declaration';

/** How `node` is declared, or null where it is a reference. A destructured field is a declaration under a new name. */
function declaredNameKind(node: ts.Node, parent: ts.Node, grandparent: ts.Node | undefined): NameKind | null {
  if (!('name' in parent) || parent.name !== node) return null;
  if (isField(parent)) return 'field';
  if (ts.isBindingElement(parent)) {
    const isRenamed = parent.propertyName !== undefined || (grandparent && ts.isArrayBindingPattern(grandparent));
    return isRenamed ? 'declaration' : 'field';
  }
  return isNamedDeclaration(parent) ? 'declaration' : null;
}

/** Default imports are named by the importing file, except after their package. */
function importNameKind(node: ts.Node, parent: ts.Node, grandparent: ts.Node | undefined): NameKind | null {
  if (!ts.isImportClause(parent) || parent.name !== node || !grandparent || !ts.isImportDeclaration(grandparent))
    return null;
  const { moduleSpecifier } = grandparent;
  const isPackageName = ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === parent.name.text;
  return isPackageName ? null : 'declaration';
}

const isFunctionName = (parent: ts.Node): boolean =>
  ts.isFunctionDeclaration(parent) ||
  ts.isMethodDeclaration(parent) ||
  ts.isMethodSignature(parent) ||
  ((ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) &&
    parent.initializer !== undefined &&
    ts.isArrowFunction(parent.initializer));

const isNameNode = (node: ts.Node): node is ts.Identifier | ts.PrivateIdentifier | ts.StringLiteral =>
  ts.isIdentifier(node) || ts.isPrivateIdentifier(node) || ts.isStringLiteral(node);

const isLiteral = (node: ts.Node): boolean =>
  (node.kind >= ts.SyntaxKind.FirstLiteralToken && node.kind <= ts.SyntaxKind.LastTemplateToken) ||
  node.kind === ts.SyntaxKind.JsxText;

/** The text without the literals, so that no address or pattern in them looks like a comment. */
function withoutLiterals(text: string, literals: [start: number, end: number][]): string {
  let position = 0;
  let code = '';
  for (const [start, end] of literals) {
    code += text.slice(position, start) + text.slice(start, end).replace(/[^\n]/g, '_');
    position = end;
  }
  return code + text.slice(position);
}

export function sourceViolations(file: string, text: string, source = parseSource(file, text)): Violation[] {
  const violations: Violation[] = [];
  const literals: [number, number][] = [];
  const readTestNames = createTestNameReader(source);
  const addProblem = (problem: Problem | null, start: number): void => {
    if (!problem) return;
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    violations.push({ file, line, word: problem[0], instead: problem[1] });
  };
  const checkName = (node: ts.Node, parent: ts.Node, grandparent: ts.Node | undefined): void => {
    // A quoted key that is no name may be a path, an address or a text.
    if (!isNameNode(node) || (ts.isStringLiteral(node) && !/^[\w-]+$/.test(node.text))) return;
    const kind = declaredNameKind(node, parent, grandparent) ?? importNameKind(node, parent, grandparent);
    if (kind === null) return;
    const isReadyVerb = isFunctionName(parent) && /^#?ready(?![a-z])/.test(node.text);
    const problem: Problem | null = isReadyVerb
      ? [node.text, 'warm up']
      : nameProblem(node.text, kind === 'field' && !ts.isPrivateIdentifier(node), file);
    addProblem(problem, node.getStart(source));
  };
  const visit = (node: ts.Node, parent: ts.Node, grandparent: ts.Node | undefined): void => {
    checkName(node, parent, grandparent);
    if (isLiteral(node)) literals.push([ts.isJsxText(node) ? node.pos : node.getStart(source), node.end]);
    for (const { name, start } of sqlNames(node, parent, source)) addProblem(nameProblem(name, false, file), start);
    for (const { name, start } of readTestNames(node)) violations.push(...proseViolations(file, text, name, start));
    ts.forEachChild(node, (child) => visit(child, node, parent));
  };
  ts.forEachChild(source, (node) => visit(node, source, undefined));
  literals.sort(([a], [b]) => a - b);
  return [...violations, ...commentViolations(file, withoutLiterals(text, literals))];
}
