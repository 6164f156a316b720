type Attributes = Record<string, string>;
type Property = keyof typeof hidingValues;

/** `mso-hide` is hidden text of Word, `mso-element` the comments of Word and Excel. */
const hidingValues = {
  display: /^none\b/i,
  visibility: /^(?:hidden|collapse)\b/i,
  'mso-hide': /^all\b/i,
  'mso-element': /^comment/i,
};
const properties = Object.keys(hidingValues) as Property[];

type Declaration = { property: Property; isHiding: boolean; isImportant: boolean };
type Rule = {
  tag: string;
  ids: string[];
  classes: string[];
  declarations: Declaration[];
  specificity: number;
  /** Place among all rules of the page. */
  order: number;
};
/** Rules by a class, id or tag that an element must have for them. */
export type HidingRules = Map<string, Rule[]>;

const COMMENTS = /\/\*[\s\S]*?(?:\*\/|$)|<!--|-->/g;
/** Tag, classes and ids of one element; relations, states and attributes are not evaluated. */
const SIMPLE_SELECTOR = /^([\w-]+|\*)?((?:[.#][\w\u0080-\uffff-]+)*)$/;

const INLINE_SPECIFICITY = 1_000;
const IMPORTANT_SPECIFICITY = 10_000;

const declarationsOf = (style: string): Declaration[] =>
  style.split(';').flatMap((declaration) => {
    const [name = '', value = ''] = declaration.split(':', 2).map((part) => part.trim());
    const property = properties.find((each) => each === name.toLowerCase());
    if (!property) return [];
    const isHiding = hidingValues[property].test(value);
    return [{ property, isHiding, isImportant: /!\s*important/i.test(value) }];
  });

/** Rules outside of at-rules (media, fonts, pages), whose conditions are not evaluated. */
function* plainRules(css: string): Generator<{ selectors: string; body: string }> {
  let depth = 0;
  let start = 0;
  let selectors = '';
  for (const { 0: sign, index } of css.matchAll(/[{};]/g)) {
    if (sign === '{' && ++depth === 1) {
      selectors = css.slice(start, index).trim();
      start = index + 1;
    } else if (sign === '}' && depth > 0 && --depth === 0) {
      if (!selectors.startsWith('@')) yield { selectors, body: css.slice(start, index) };
      start = index + 1;
    } else if (depth === 0) start = index + 1;
  }
}

/** The rules of style sheets that decide whether an element is visible. */
export function parseHidingRules(styleSheets: string[]): HidingRules {
  const rules: HidingRules = new Map();
  let order = 0;
  for (const css of styleSheets)
    for (const { selectors, body } of plainRules(css.replace(COMMENTS, ' '))) {
      const declarations = declarationsOf(body);
      if (declarations.length === 0) continue;
      order++;
      for (const selector of selectors.split(',')) {
        const rule = parseSelector(selector.trim());
        if (!rule) continue;
        const { ids, classes, tag } = rule;
        const key =
          [...ids.map((id) => `#${id}`), ...classes.map((name) => `.${name}`), tag][0] ?? '';
        const rulesOfKey = rules.get(key) ?? [];
        rulesOfKey.push({ ...rule, declarations, order });
        rules.set(key, rulesOfKey);
      }
    }
  return rules;
}

function parseSelector(
  selector: string,
): Pick<Rule, 'tag' | 'ids' | 'classes' | 'specificity'> | null {
  const [whole, name = '', conditions = ''] = SIMPLE_SELECTOR.exec(selector) ?? [];
  if (!whole) return null;
  const parts = conditions.match(/[.#][^.#]+/g) ?? [];
  const namesAfter = (sign: string) =>
    parts.filter((part) => part.startsWith(sign)).map((part) => part.slice(1));
  const [ids, classes] = [namesAfter('#'), namesAfter('.')];
  const specificity = ids.length * 100 + classes.length * 10 + (/\w/.test(name) ? 1 : 0);
  return { tag: name.toLowerCase(), ids, classes, specificity };
}

/** Whether the style of an element, by the rules of its page and by its own attribute, hides it. */
export function isHiddenByStyle(name: string, attributes: Attributes, rules: HidingRules): boolean {
  const matching = rules.size > 0 ? matchingRules(name, attributes, rules) : [];
  const inline = {
    declarations: declarationsOf(attributes.style ?? ''),
    specificity: INLINE_SPECIFICITY,
  };
  const winners = new Map<Property, { isHiding: boolean; weight: number }>();
  for (const { declarations, specificity } of [...matching, inline])
    for (const { property, isHiding, isImportant } of declarations) {
      const weight = specificity + (isImportant ? IMPORTANT_SPECIFICITY : 0);
      if (weight >= (winners.get(property)?.weight ?? 0))
        winners.set(property, { isHiding, weight });
    }
  return [...winners.values()].some(({ isHiding }) => isHiding);
}

function matchingRules(name: string, { id, class: names = '' }: Attributes, rules: HidingRules) {
  // A page that hides all of itself is shown by its script.
  if (name === 'html' || name === 'body') return [];
  const classes = names.split(/\s+/).filter(Boolean);
  const keys = [name, '*', ...classes.map((each) => `.${each}`), ...(id ? [`#${id}`] : [])];
  return [...new Set(keys)]
    .flatMap((key) => rules.get(key) ?? [])
    .filter(
      (rule) =>
        ['', '*', name].includes(rule.tag) &&
        rule.ids.every((each) => each === id) &&
        rule.classes.every((each) => classes.includes(each)),
    )
    .sort((one, other) => one.order - other.order);
}
