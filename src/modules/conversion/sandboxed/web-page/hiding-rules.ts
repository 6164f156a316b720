import { RejectedFileError } from '../rejection-reasons.ts';
import { type CssDeclaration, parseInlineStyle, parseStyleSheet, unescapeCss } from './css-rules.ts';

export type ElementAttributes = Record<string, string>;
type Property = keyof typeof hidingValues;

const ZERO_LENGTH = /^[+-]?(?:0+(?:\.0*)?|\.0+)(?:[a-z]+)?(?![\w.%])/i;

/** `mso-hide` marks hidden text of Word, `mso-element` comments of Word and Excel. */
const hidingValues = {
  display: /^none\b/i,
  visibility: /^(?:hidden|collapse)\b/i,
  'mso-hide': /^all\b/i,
  'mso-element': /^comment/i,
  height: ZERO_LENGTH,
  width: ZERO_LENGTH,
};
const properties = Object.keys(hidingValues) as Property[];
/** Properties that hide one element only, and only in a sheet. */
const sizedElements = new Map<Property, string>([
  ['height', 'tr'],
  ['width', 'col'],
]);

/** A setting with a higher weight wins, then one with a higher order. */
type PropertySetting = { isHiding: boolean; weight: number; order: number };
type PropertySettings = Map<Property, PropertySetting>;

type SimpleSelector = { tag: string; ids: string[]; classes: string[] };
type HidingRule = SimpleSelector & { settings: PropertySettings };
/** Rules indexed by one tag, class or id that a matching element must have. */
export type HidingRules = { view: 'flow' | 'sheet'; index: Map<string, HidingRule[]> };

/** Tag, classes and ids of one element; combinators, pseudo-classes and attributes are not evaluated. */
const SIMPLE_SELECTOR = /^((?:[\w\u0080-\uffff-]|\\[\s\S])+|\*)?((?:[.#](?:[\w\u0080-\uffff-]|\\[\s\S])+)*)$/;
/** Longer selectors are not evaluated. */
const MAX_SELECTOR_LENGTH = 10_000;

const INLINE_SPECIFICITY = 1_000;
const IMPORTANT_SPECIFICITY = 10_000;
/** Maximum number of distinct selectors that affect visibility. */
export const MAX_HIDING_RULES = 50_000;

function applySetting(settings: PropertySettings, property: Property, setting: PropertySetting) {
  const current = settings.get(property);
  const isWinning =
    !current ||
    setting.weight > current.weight ||
    (setting.weight === current.weight && setting.order >= current.order);
  if (isWinning) settings.set(property, setting);
}

const hidingDeclarations = (declarations: CssDeclaration[], view: HidingRules['view']) =>
  declarations.flatMap(({ name, value }) => {
    const property = properties.find((hidingProperty) => hidingProperty === name);
    return property && (view === 'sheet' || !sizedElements.has(property)) ? [{ property, value }] : [];
  });

function applyDeclarations(
  settings: PropertySettings,
  declarations: ReturnType<typeof hidingDeclarations>,
  { specificity, order }: { specificity: number; order: number },
): void {
  for (const { property, value } of declarations) {
    const importance = /!\s*important/i.test(value) ? IMPORTANT_SPECIFICITY : 0;
    const isHiding = hidingValues[property].test(value);
    applySetting(settings, property, { isHiding, weight: specificity + importance, order });
  }
}

/**
 * Collects the rules that affect visibility. Rules with the same selector are merged. Rejects a page with too many
 * selectors.
 */
export function parseHidingRules(styleSheets: string[], view: HidingRules['view']): HidingRules {
  const rules = new Map<string, HidingRule>();
  let order = 0;
  for (const styleSheet of styleSheets)
    for (const { selectors, declarations } of parseStyleSheet(styleSheet)) {
      const relevantDeclarations = hidingDeclarations(declarations, view);
      if (relevantDeclarations.length === 0) continue;
      order++;
      for (const selector of selectors) {
        const parsedSelector = parseSelector(selector);
        if (!parsedSelector) continue;
        const rule = rules.get(selector) ?? { ...parsedSelector, settings: new Map() };
        rules.set(selector, rule);
        if (rules.size > MAX_HIDING_RULES) throw new RejectedFileError('tooLarge', 'too many CSS rules');
        applyDeclarations(rule.settings, relevantDeclarations, {
          specificity: computeSpecificity(rule),
          order,
        });
      }
    }
  return { view, index: indexRules([...rules.values()]) };
}

function parseSelector(selector: string): SimpleSelector | null {
  // The pattern needs stack space for each character.
  if (selector.length > MAX_SELECTOR_LENGTH) return null;
  const [match, name = '', conditions = ''] = SIMPLE_SELECTOR.exec(selector) ?? [];
  if (!match) return null;
  const parts = conditions.match(/[.#](?:[^.#\\]|\\[\s\S])+/g) ?? [];
  const namesAfter = (sign: string) =>
    parts.filter((part) => part.startsWith(sign)).map((part) => unescapeCss(part.slice(1)));
  return {
    tag: unescapeCss(name).toLowerCase(),
    ids: namesAfter('#'),
    classes: namesAfter('.'),
  };
}

const computeSpecificity = ({ tag, ids, classes }: SimpleSelector) =>
  ids.length * 100 + classes.length * 10 + (tag === '' || tag === '*' ? 0 : 1);

const indexKeys = (tag: string, ids: string[], classes: string[]) => [
  ...ids.map((id) => `#${id}`),
  ...classes.map((name) => `.${name}`),
  ...(tag ? [tag] : []),
];

/** A rule is indexed by its rarest condition, so that few elements are compared with it. */
function indexRules(rules: HidingRule[]): HidingRules['index'] {
  const counts = new Map<string, number>();
  for (const { tag, ids, classes } of rules)
    for (const key of indexKeys(tag, ids, classes)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const countOf = (key: string) => counts.get(key) ?? 0;
  return Map.groupBy(rules, ({ tag, ids, classes }) =>
    indexKeys(tag, ids, classes).reduce((rarest, key) => (countOf(key) < countOf(rarest) ? key : rarest)),
  );
}

export function isHiddenByStyle(name: string, attributes: ElementAttributes, rules: HidingRules): boolean {
  const settings: PropertySettings = new Map();
  if (rules.view === 'sheet') applySizeAttributes(settings, attributes);
  for (const rule of matchingRules(name, attributes, rules))
    for (const [property, setting] of rule.settings) applySetting(settings, property, setting);
  applyDeclarations(settings, hidingDeclarations(parseInlineStyle(attributes.style ?? ''), rules.view), {
    specificity: INLINE_SPECIFICITY,
    order: Number.POSITIVE_INFINITY,
  });
  return [...settings].some(([property, { isHiding }]) => isHiding && (sizedElements.get(property) ?? name) === name);
}

/** Any rule overrides the attributes `height` and `width`. */
function applySizeAttributes(settings: PropertySettings, attributes: ElementAttributes): void {
  for (const property of sizedElements.keys()) {
    const value = attributes[property];
    if (value) applySetting(settings, property, { isHiding: ZERO_LENGTH.test(value), weight: -1, order: 0 });
  }
}

function matchingRules(name: string, { id, class: names = '' }: ElementAttributes, { index }: HidingRules) {
  // A page that hides its body makes it visible by a script.
  if (index.size === 0 || name === 'html' || name === 'body') return [];
  const classes = new Set(names.split(/\s+/).filter(Boolean));
  const keys = ['*', ...indexKeys(name, id ? [id] : [], [...classes])];
  return keys
    .flatMap((key) => index.get(key) ?? [])
    .filter(
      (rule) =>
        ['', '*', name].includes(rule.tag) &&
        rule.ids.every((ruleId) => ruleId === id) &&
        rule.classes.every((ruleClass) => classes.has(ruleClass)),
    );
}
