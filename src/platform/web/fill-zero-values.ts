import type * as z from 'zod/mini';

type Def = {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  values?: unknown[];
  entries?: Record<string, unknown>;
};
type Schema = { _zod: { def: unknown } };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Completes a response: a key that is missing or null gets the zero value of its type. */
export function fillZeroValues<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  return fillValue(schema, value) as z.output<T>;
}

function fillValue(schema: Schema, value: unknown): unknown {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case 'object': {
      const object = isObject(value) ? value : {};
      const filledObject: Record<string, unknown> = { ...object };
      for (const [key, field] of Object.entries(def.shape ?? {})) {
        const filledValue = fillValue(field, object[key]);
        if (filledValue !== undefined) filledObject[key] = filledValue;
      }
      return filledObject;
    }
    case 'array': {
      const items = Array.isArray(value) ? value : [];
      const { element } = def;
      return element ? items.map((item) => fillValue(element, item)) : items;
    }
    case 'nullable':
      return value == null || !def.innerType ? null : fillValue(def.innerType, value);
    case 'optional':
      return value == null || !def.innerType ? undefined : fillValue(def.innerType, value);
    case 'default':
    case 'prefault':
    case 'readonly':
      return def.innerType ? fillValue(def.innerType, value) : value;
    default:
      return value ?? zeroValueOfType(def);
  }
}

function zeroValueOfType(def: Def): unknown {
  switch (def.type) {
    case 'string':
      return '';
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'enum':
      return Object.values(def.entries ?? {})[0];
    case 'literal':
      return def.values?.[0];
    case 'record':
      return {};
    default:
      return undefined;
  }
}
