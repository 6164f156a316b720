import fc from 'fast-check';

export type JsonSchema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

/** Values that break careless code: NUL, huge, deep, wrong type, wildcard, markup, SQL. */
const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    '\0',
    'a\0b',
    '\ud800',
    '%',
    "' or 1=1 --",
    '<script>alert(1)</script>',
    '../../etc/passwd',
    '__proto__',
    -1,
    0,
    -0,
    1.5,
    1e308,
    2 ** 53,
    2 ** 31,
    true,
    [],
    {},
    [[[[[]]]]],
    { __proto__: { polluted: true } },
    { constructor: { prototype: { polluted: true } } },
  ),
  fc.string({ maxLength: 50, unit: 'binary' }),
  fc.constant('豆'.repeat(20_000)),
  fc.constant(Array.from({ length: 2_000 }, (_, index) => index)),
  fc.jsonValue({ maxDepth: 6 }),
);

/** Values the schema itself describes. */
function valid(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
  switch (schema.type) {
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(schema.minimum ?? -10, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1000, 2 ** 31),
      });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valid(schema.items ?? {}), { maxLength: 5 });
    case 'object':
      return objectOf(schema, valid);
    case 'string':
      return fc.string({ maxLength: Math.min(schema.maxLength ?? 40, 40), unit: 'grapheme' });
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** An object of the schema's keys, each value made by `each`; optional keys come and go. */
function objectOf(schema: JsonSchema, each: (schema: JsonSchema) => fc.Arbitrary<unknown>) {
  const properties = Object.entries(schema.properties ?? {});
  return fc.record(Object.fromEntries(properties.map(([key, inner]) => [key, each(inner)])), {
    requiredKeys: schema.required ?? [],
  });
}

/** Mostly as described, with hostile values and keys in between. */
export const sent = (schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> => {
  const mixed = (inner: JsonSchema): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 3, arbitrary: valid(inner) }, { weight: 1, arbitrary: hostile });
  const withExtra = fc
    .tuple(objectOf(schema, mixed), fc.string({ maxLength: 10 }), hostile)
    .map(([body, key, value]) => ({ ...body, [key]: value }));
  const loose = { ...schema, required: [] };
  return fc.oneof(objectOf(schema, valid), objectOf(schema, mixed), objectOf(loose, mixed), withExtra);
};
