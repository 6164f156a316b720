import type * as z from 'zod/mini';

type Def = { type: string; innerType?: z.ZodMiniType; element?: z.ZodMiniType };

const BOOLEAN_TEXTS: Record<string, boolean | undefined> = {
  true: true,
  1: true,
  false: false,
  0: false,
};

/** Removes optional, default and nullable wrappers. */
function unwrapSchema(schema: z.ZodMiniType): z.ZodMiniType {
  const { innerType } = schema._zod.def as Def;
  return innerType ? unwrapSchema(innerType) : schema;
}

function coerceValue(value: unknown, schema: z.ZodMiniType): unknown {
  const { type, element } = unwrapSchema(schema)._zod.def as Def;
  if (type === 'array' && element) {
    const values = Array.isArray(value) ? value : [value];
    return values.map((item) => coerceValue(item, element));
  }
  if (typeof value !== 'string') return value;
  if (type === 'boolean') return BOOLEAN_TEXTS[value] ?? value;
  const isNumber = type === 'number' || (type === 'literal' && /^\d+$/.test(value));
  if (isNumber && /^-?\d{1,20}(\.\d+)?$/.test(value)) return Number(value);
  return value;
}

/**
 * Converts query strings to the types of the schema (numbers, booleans, lists with one item), so that one schema
 * serves query and body. A value that cannot be converted is left unchanged for the schema to reject. An empty value
 * counts as missing.
 */
export function coerceQueryValues(query: Record<string, unknown>, schema: z.ZodMiniObject): Record<string, unknown> {
  const shape = schema._zod.def.shape as Record<string, z.ZodMiniType>;
  const entries = Object.entries(query)
    .filter(([key, value]) => Object.hasOwn(shape, key) && value !== '')
    .map(([key, value]) => [key, coerceValue(value, shape[key] as z.ZodMiniType)]);
  return Object.fromEntries(entries);
}
