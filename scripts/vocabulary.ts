/** Words that no name may contain, and their replacements. */
const REPLACED_WORDS: [words: string, instead: string][] = [
  ['wish wishes wished wishing', 'request or queue'],
  ['fulfil fulfils fulfill fulfills', 'index, process'],
  ['workshop workshops', 'sandboxed converter'],
  ['contents', 'renditions, or the noun'],
  ['desk desks', 'viewport, desktop'],
  ['sharp sharper', 'hiRes'],
  ['slip slips', 'singleEditVariants'],
  ['telling', 'keywords'],
  ['likeness likenesses', 'related'],
  ['meant', 'correction'],
  ['worth', 'weight'],
  ['fold folds folded folding', 'normalize'],
  ['torture tortured tortures torturing', 'stress'],
  ['poison poisoned poisons poisonous', 'slow document'],
  ['hostile', 'malicious'],
  ['bean beans', 'credit'],
  ['hopeless', 'permanent error'],
  ['retell retells retold', 'update'],
  ['reread rereads', 'invalidate'],
  ['somebody someone anybody anyone whoever nobody', 'the actor'],
  ['usual', 'default'],
  ['otherwise', 'fallback'],
  ['anew', 're…'],
  ['atonce', 'concurrent, per request'],
  ['gate gates gated gatekeeper', 'site access'],
  ['pass', 'site access, approve'],
  ['dress dresses dressed', 'login assets'],
  ['judge judges judged judging', 'classify'],
  ['beginnings', 'prefix keys'],
  ['fact facts', 'metadata'],
  ['keep keeps', 'cache, upsert, persist, store'],
  ['keeping kept', 'cached, stored, existing'],
  ['keeper keepers', 'staff, administrator'],
  ['tell tells told', 'notify, report'],
  ['made', 'output, created'],
  ['turn turns', 'time slice, serialize, iteration'],
  ['readies readied readying', 'warm up'],
  ['own', 'my…, account…'],
  ['house houses', 'site'],
  ['ancestor', 'moredoc'],
];

export const NAME_WORDS = new Map(
  REPLACED_WORDS.flatMap(([words, instead]) => words.split(' ').map((word): [string, string] => [word, instead])),
);

/** Phrases that the words of a name, joined by spaces, must not contain. */
export const NAME_PHRASES: [RegExp, string][] = [
  [/\b(?:take[sn]?|taking|took) up\b/, 'index'],
  [/\b(?:take[sn]?|taking|took) back\b/, 'retract'],
  [/\bways? in\b/, 'site access, isPublicPath'],
  [/\b(?:turn(?:s|ed|ing)? away|away turned)\b/, 'refused'],
  [/\bseen first\b/, 'deferred scripts'],
  [/\bout of time\b/, 'timeout'],
  [/\b(?:make|get) ready\b/, 'warm up'],
  [/\bat once\b/, 'concurrent, per request'],
  [/\bno one\b/, 'the actor'],
  [/\bbehind (?:the )?walls?\b/, 'in the sandbox'],
  [/\bdaily sign in|sign in (?:award|credit|day|reward|streak)s?\b/, 'check-in'],
  [/^(?:many|few)\b/, 'a number: max…, min…, …Count'],
];

/** The same for constants in upper case. */
export const CONSTANT_PHRASES: [RegExp, string][] = [
  [/^(?:most|spare)\b/, 'the noun and the unit: MAX_…, …_RESERVE'],
  [/\b(?:many|few|most|spare)$/, 'the noun and the unit: MAX_…'],
];

/** Parts of names in which a word of the list above has another, ordinary meaning. */
export const ORDINARY_PHRASES: RegExp[] = [
  /\btables? of contents\b/,
  /\bturn (?:on|off)\b/,
  // The reader turns pages, and keys and gestures cause a page turn.
  /\b(?:turn pages?|page turns?)\b/,
  // The record FilePass of the specification [MS-XLS].
  /\bfile pass\b/,
];

/** Fields that contain a replaced word for a reason. A variable of the same name has none. */
export const ALLOWED_FIELDS = new Set([
  // Options of libraries and standards.
  ...['keepAlive', 'keepAliveTimeout', 'keepAliveInitialDelayMillis', 'keepNext', 'pass'],
  // Error codes and values of the public API.
  ...['ownDocument', 'beyondOwn', 'kept'],
]);

/** Names that do not say what they hold: a participle needs a noun. */
export const BARE_NAMES = new Set(
  [
    'found shown known kept asked wanted told made seen given taken most many few spare usual otherwise anew',
    'at_once in_all at_most',
  ].flatMap((line) => line.split(' ')),
);

/** The same for names that the code chooses: variables, parameters, functions. Fields of rows and APIs may have them. */
export const BARE_DECLARATIONS = new Set(
  'again all any both more none nothing only others plain same what who wrong'.split(' '),
);

/**
 * Participles that end neither in -ed nor in -ing. Not those that are also a noun, a verb or a direction, such as `bound`,
 * `cut`, `hit`, `left`, `put`, `read`, `run`, `set`, `split` and `spread`.
 */
const IRREGULAR_PARTICIPLES = [
  'begun bent bitten blown born borne bought broken brought built burnt caught chosen dealt done drawn driven dug eaten',
  'fallen fed felt fled flown forbidden forgiven forgotten found frozen given gone grown heard held hidden hung kept known',
  'laid lain led lent lit lost made meant met mistaken paid proven ridden risen said seen sent shaken shown shrunk sold',
  'sought spent spoken sprung stolen stood struck stuck sunk swept sworn taken taught thrown told torn understood woken',
  'won worn woven written',
].flatMap((line) => line.split(' '));

/** Words in -ed and -ing that are a noun or a verb here, not a participle. */
const NOUNS_AND_VERBS = [
  // A color and a verb. Words in -eed, such as `seed` and `speed`, are none of the pattern.
  'red embed',
  // Nouns of documents and typesetting.
  'drawing heading leading nesting padding rendering shading spacing',
  // Other nouns.
  'binding encoding evening finding mapping meaning painting ranking rating reading ring keyring scaling setting sibling',
  'spring string testing warning',
].flatMap((line) => line.split(' '));

const PARTICIPLE = new RegExp(
  `^(?!(?:${NOUNS_AND_VERBS.join('|')})$)(?:[a-z]+(?:[^e]ed|ing)|(?:un|re|over|mis|with)?(?:${IRREGULAR_PARTICIPLES.join('|')}))$`,
);

/** A name of one word that says a state, but not what has it. */
export const isParticiple = (word: string): boolean => PARTICIPLE.test(word);

/** In tests the value that an assertion compares with. */
export const ALLOWED_IN_TESTS = new Set(['expected']);

const prose = (pattern: RegExp, instead: string): [RegExp, string] => [
  // A line may end between two words, a paragraph may not.
  new RegExp(pattern.source.replaceAll(' ', '(?:[ \\t]+|[ \\t]*\\n[ \\t]*)'), 'gi'),
  instead,
];

/** Patterns that comments, test names and documents must not contain. */
export const PROSE: [RegExp, string][] = [
  prose(/\b(?:whoever|somebody|nobody|someone|anybody|anyone|no one)\b/, 'name the actor'),
  prose(/\banew\b/, 'again, re-…'),
  prose(/\bat once\b/, 'together or immediately'),
  prose(/\bso many\b/, 'the number of'),
  prose(/\b(?:take[sn]?|taking|took)(?: [\w-]+){0,2} up(?! to\b| (?:[\w-]+ )?(?:memory|room|space|time)\b)\b/, 'index'),
  prose(/\b(?:take[sn]?|taking|took)(?: [\w-]+){0,2} back\b/, 'retract'),
  prose(/\bbehind the walls\b/, 'in the sandbox'),
  prose(/\b(?:the|an) own\b/, 'my…, account…, or the noun alone'),
  prose(/\bthe house\b/, 'the site'),
  prose(/\bthe ancestor\b/, 'moredoc'),
  prose(/\bgates?\b/, 'site access'),
  prose(/\b(?:the|a|no) way in\b(?! which)/, 'site access'),
  prose(/\bturn(?:s|ed|ing)?(?: [\w-]+){0,4} away\b/, 'refuses, refused'),
  prose(/\bwish(?:es|ed|ing)?\b/, 'request'),
  prose(/\bworkshops?\b/, 'sandboxed converter'),
  prose(/\b(?:daily sign(?:-| )in|sign-in (?:awards?|rewards?|streaks?))\b/, 'check-in'),
  prose(/\bdesks?\b/, 'viewport, on desktop'),
  prose(/\bsharp pages?\b/, 'high-resolution page'),
  prose(/\bfacts\b/, 'metadata'),
  prose(/\blikeness(?:es)?\b/, 'related documents'),
  prose(/\bbeginnings\b/, 'prefix keys'),
  prose(/\bslips\b/, 'single-edit variants'),
  prose(/\b(?:the worth|worth of)\b/, 'weight'),
  prose(/\bfold(?:s|ed|ing)\b/, 'normalizes'),
  prose(/\bre-?reads?\b/, 'invalidates'),
  prose(/\bmeant by\b/, 'did-you-mean, correction'),
  prose(/\bseen first\b/, 'deferred scripts'),
  prose(/\bjudge[sd]?\b/, 'classifies, decides'),
  prose(/\bhopeless\b/, 'permanent'),
  prose(/\bout of time\b/, 'timed out'),
  prose(/\b(?:its|their|whose) turn\b/, 'time slice, order'),
  prose(/\bthe usual\b/, 'the default'),
  prose(/\b(?:retells?|retold|(?:is|are|was|were|been?) told)\b/, 'updated, reported, notified'),
  prose(/\btelling words?\b/, 'keywords'),
  prose(/\b(?:torture[sd]?|poison(?:ed|s)?)\b/, 'stress, slow document'),
  prose(/\bhostile\b/, 'malicious'),
  prose(/\bbeans?\b/, 'credit'),
];
