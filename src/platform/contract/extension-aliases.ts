/**
 * Extensions whose files are stored under another extension: XML documents of Word and Excel, which these programs also
 * open under the extensions .doc and .xls.
 */
const extensionAliases = new Map<string, readonly [string, ...string[]]>([['xml', ['doc', 'xls']]]);

/**
 * Extensions under which a file may be stored, in lower case without dots. The content decides among several; the first
 * is the default.
 */
export const storedExtensionCandidates = (extension: string): readonly [string, ...string[]] =>
  extensionAliases.get(extension) ?? [extension];

/** Aliases of these extensions; both with dots. */
export const extensionAliasesOf = (extensions: readonly string[]): string[] =>
  [...extensionAliases].flatMap(([alias, candidates]) =>
    candidates.some((extension) => extensions.includes(`.${extension}`)) ? [`.${alias}`] : [],
  );
