import type * as z from 'zod/mini';

type Def = { type: string; innerType?: z.ZodMiniType; element?: z.ZodMiniType };

const booleans: Record<string, boolean | undefined> = {
  true: true,
  1: true,
  false: false,
  0: false,
};

/** The type behind optional, default and nullable wrappers. */
function bare(schema: z.ZodMiniType): z.ZodMiniType {
  const { innerType } = schema._zod.def as Def;
  return innerType ? bare(innerType) : schema;
}

function toType(value: unknown, schema: z.ZodMiniType): unknown {
  const { type, element } = bare(schema)._zod.def as Def;
  if (type === 'array' && element) {
    const many = Array.isArray(value) ? value : [value];
    return many.map((one) => toType(one, element));
  }
  if (typeof value !== 'string') return value;
  if (type === 'boolean') return booleans[value] ?? value;
  const isNumber = type === 'number' || (type === 'literal' && /^\d+$/.test(value));
  if (isNumber && /^-?\d{1,20}(\.\d+)?$/.test(value)) return Number(value);
  return value;
}

/**
 * Query strings know only text. This turns them into what the schema names (numbers, booleans,
 * lists of one), so that a schema is written once for query and body alike. What does not fit is
 * left as it is, for the schema to refuse. An empty value counts as absent.
 */
export function fromQuery(query: Record<string, unknown>, schema: z.ZodMiniObject): Record<string, unknown> {
  const shape = schema._zod.def.shape as Record<string, z.ZodMiniType>;
  const entries = Object.entries(query)
    .filter(([key, value]) => Object.hasOwn(shape, key) && value !== '')
    .map(([key, value]) => [key, toType(value, shape[key] as z.ZodMiniType)]);
  return Object.fromEntries(entries);
}
