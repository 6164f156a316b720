import {
  ALLOWED_FIELDS,
  ALLOWED_IN_TESTS,
  BARE_DECLARATIONS,
  BARE_NAMES,
  CONSTANT_PHRASES,
  isParticiple,
  NAME_PHRASES,
  NAME_WORDS,
  ORDINARY_PHRASES,
} from './vocabulary.ts';

/** A replaced word or pattern, and what stands for it. */
export type Problem = [word: string, instead: string];

/** A use of a word or pattern that docs/glossary.md replaces. */
export type Violation = { file: string; line: number; word: string; instead: string };

const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());

function wordProblem(name: string): Problem | null {
  let phrase = wordsOf(name).join(' ');
  for (const ordinary of ORDINARY_PHRASES) phrase = phrase.replace(ordinary, '…');
  const phrases = /^[A-Z][A-Z\d_]+$/.test(name) ? [...NAME_PHRASES, ...CONSTANT_PHRASES] : NAME_PHRASES;
  for (const [pattern, instead] of phrases) if (pattern.test(phrase)) return [name, instead];
  for (const word of phrase.split(' ')) {
    const instead = NAME_WORDS.get(word);
    if (instead !== undefined) return [name, instead];
  }
  return null;
}

/** Most names occur many times. */
const wordProblems = new Map<string, Problem | null>();
function cachedWordProblem(name: string): Problem | null {
  const cachedProblem = wordProblems.get(name);
  if (cachedProblem !== undefined) return cachedProblem;
  const problem = wordProblem(name);
  wordProblems.set(name, problem);
  return problem;
}

const isTestFile = (file: string): boolean => /\.(?:test|suite|fixture)\.tsx?$|^(?:e2e|src\/testing)\//.test(file);

/** A name of one word, in which case `isEnabled` is none. */
const isBareDeclaration = (bareName: string, file: string): boolean =>
  BARE_DECLARATIONS.has(bareName.toLowerCase()) ||
  (/^(?:[A-Z]?[a-z]+|[A-Z]+)$/.test(bareName) &&
    isParticiple(bareName.toLowerCase()) &&
    !(ALLOWED_IN_TESTS.has(bareName) && isTestFile(file)));

/** `isField`: a property, method or column, whose name rows, libraries or the API may determine. */
export function nameProblem(name: string, isField: boolean, file = ''): Problem | null {
  if (isField && ALLOWED_FIELDS.has(name)) return null;
  const bareName = name.replace(/^[#_]+/, '');
  if (BARE_NAMES.has(bareName.toLowerCase()) || (!isField && isBareDeclaration(bareName, file)))
    return [name, `a noun: ${bareName.toLowerCase()} what?`];
  return cachedWordProblem(name);
}

/** The section "Beans" of the specification, and the released migrations of version 0.1, which do not change. */
const ALLOWED_PATHS = /^(?:docs\/spec-coverage\/completion-5-beans\.md$|migrations\/0\.1\/)/;

/** Folders and files named by a state on purpose: the module and its tables, the kinds of readers, customary titles. */
const ALLOWED_PATH_NAMES = new Set(['computing', 'contributing', 'paged', 'related', 'sandboxed', 'troubleshooting']);

/** Every folder and file of a path, by the same rules as names in code. */
export function pathViolations(path: string): Violation[] {
  if (ALLOWED_PATHS.test(path)) return [];
  return path.split('/').flatMap((segment) => {
    const [name = ''] = segment.replace(/^\.+/, '').split('.');
    if (ALLOWED_PATH_NAMES.has(name.toLowerCase())) return [];
    const problem = nameProblem(name.replaceAll('-', '_'), false, path);
    return problem ? [{ file: path, line: 1, word: name, instead: problem[1] }] : [];
  });
}
