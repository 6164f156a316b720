import ts from 'typescript';

/** The types, classes, enums and components of a file. */
export type DeclaredTypes = { file: string; exported: string[]; local: string[] };

/** Names that React Router reads from a route module. */
const ROUTE_EXPORTS = new Set(['ErrorBoundary', 'HydrateFallback', 'Layout']);

const isTypeLike = (
  node: ts.Node,
): node is ts.TypeAliasDeclaration | ts.InterfaceDeclaration | ts.EnumDeclaration | ts.ClassDeclaration =>
  ts.isTypeAliasDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isEnumDeclaration(node) ||
  ts.isClassDeclaration(node);

const isComponentName = (name: string): boolean =>
  /^[A-Z]/.test(name) && /[a-z]/.test(name) && !ROUTE_EXPORTS.has(name);

/** A component that another file declares and this one loads later has the same name in both. */
const isLazy = ({ initializer }: ts.VariableDeclaration): boolean =>
  initializer !== undefined &&
  ts.isCallExpression(initializer) &&
  ts.isIdentifier(initializer.expression) &&
  initializer.expression.text === 'lazy';

function componentNames(statement: ts.Statement): string[] {
  const names = ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.filter((declaration) => !isLazy(declaration)).map(({ name }) => name)
    : ts.isFunctionDeclaration(statement)
      ? [statement.name]
      : [];
  return names.flatMap((name) => (name && ts.isIdentifier(name) && isComponentName(name.text) ? [name.text] : []));
}

function declaredNames(statement: ts.Statement, isTsx: boolean): string[] {
  if (isTypeLike(statement)) return statement.name ? [statement.name.text] : [];
  return isTsx ? componentNames(statement) : [];
}

/** Types within functions. Most files have none, which a pattern shows faster than the syntax tree. */
function nestedTypeNames(source: ts.SourceFile): string[] {
  if (!/^[ \t]+(?:type|interface|class|enum) [A-Z]/m.test(source.text)) return [];
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeLike(node) && node.name) names.push(node.name.text);
    ts.forEachChild(node, visit);
  };
  for (const statement of source.statements) ts.forEachChild(statement, visit);
  return names;
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

/** Names in `export { … }`. A re-export of another file's declaration is none of this file. */
const exportList = (statement: ts.Statement): string[] =>
  ts.isExportDeclaration(statement) &&
  !statement.moduleSpecifier &&
  statement.exportClause &&
  ts.isNamedExports(statement.exportClause)
    ? statement.exportClause.elements.map(({ name }) => name.text)
    : [];

export function declaredTypes(file: string, source: ts.SourceFile): DeclaredTypes {
  const exportedNames = new Set(source.statements.flatMap(exportList));
  const exported = new Set<string>();
  const local = new Set(nestedTypeNames(source));
  for (const statement of source.statements)
    for (const name of declaredNames(statement, file.endsWith('.tsx')))
      (isExported(statement) || exportedNames.has(name) ? exported : local).add(name);
  return { file, exported: [...exported], local: [...local] };
}

/** Names that stand for more than one type, of which at least one is exported. */
export function typesNamedTwice(files: DeclaredTypes[]): string[] {
  const exportingFiles = new Map<string, string[]>();
  for (const { file, exported } of files)
    for (const name of exported) exportingFiles.set(name, [...(exportingFiles.get(name) ?? []), file]);
  const problems = [...exportingFiles]
    .filter(([, declaringFiles]) => declaringFiles.length > 1)
    .map(([name, declaringFiles]) => `type ${name} is exported by ${declaringFiles.join(', ')}: name it once`);
  for (const { file, local } of files)
    for (const name of local) {
      const [exportingFile] = exportingFiles.get(name) ?? [];
      if (exportingFile)
        problems.push(`${file}: type ${name} has the name of an exported one in ${exportingFile}: rename it`);
    }
  return problems;
}
