import fc from 'fast-check';

export type RequestJsonSchema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: RequestJsonSchema[];
  items?: RequestJsonSchema;
  properties?: Record<string, RequestJsonSchema>;
  required?: string[];
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

/** Values that often break code: NUL, huge, deeply nested, wrong type, wildcard, markup, SQL. */
const maliciousValue: fc.Arbitrary<unknown> = fc.oneof(
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

function validValue(schema: RequestJsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(validValue));
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
      return fc.array(validValue(schema.items ?? {}), { maxLength: 5 });
    case 'object':
      return objectOf(schema, validValue);
    case 'string':
      return fc.string({ maxLength: Math.min(schema.maxLength ?? 40, 40), unit: 'grapheme' });
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** An object with the keys of the schema and values from `arbitraryFor`; optional keys are present at random. */
function objectOf(schema: RequestJsonSchema, arbitraryFor: (schema: RequestJsonSchema) => fc.Arbitrary<unknown>) {
  const properties = Object.entries(schema.properties ?? {});
  return fc.record(Object.fromEntries(properties.map(([key, inner]) => [key, arbitraryFor(inner)])), {
    requiredKeys: schema.required ?? [],
  });
}

/** Request values that mostly match the schema, mixed with malicious values and unknown keys. */
export const requestValues = (schema: RequestJsonSchema): fc.Arbitrary<Record<string, unknown>> => {
  const mixedValue = (inner: RequestJsonSchema): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 3, arbitrary: validValue(inner) }, { weight: 1, arbitrary: maliciousValue });
  const withExtra = fc
    .tuple(objectOf(schema, mixedValue), fc.string({ maxLength: 10 }), maliciousValue)
    .map(([body, key, value]) => ({ ...body, [key]: value }));
  const withoutRequired = { ...schema, required: [] };
  return fc.oneof(
    objectOf(schema, validValue),
    objectOf(schema, mixedValue),
    objectOf(withoutRequired, mixedValue),
    withExtra,
  );
};
