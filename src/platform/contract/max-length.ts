import type * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

const unwrapSchema = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return innerType ? unwrapSchema(innerType) : schema;
};

/** Length limit of a field of an endpoint, for the `maxLength` attribute of the form input. */
export function maxLengthOf<E extends Endpoint>(
  { input }: E,
  field: keyof z.input<E['input']> & string,
): number | undefined {
  const schema = input._zod.def.shape[field];
  const checks = schema ? (unwrapSchema(schema)._zod.def.checks ?? []) : [];
  return checks
    .map((check) => check._zod.def as { check: string; maximum?: number })
    .find(({ check }) => check === 'max_length')?.maximum;
}
