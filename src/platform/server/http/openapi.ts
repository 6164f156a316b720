import * as z from 'zod/mini';
import type { Endpoint } from '#platform/contract/endpoint.ts';

type JsonSchema = {
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [key: string]: unknown;
};

const toJson = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
  });
  return json as JsonSchema;
};

function part(schema: JsonSchema, keys: string[]): JsonSchema {
  const { properties = {}, required = [] } = schema;
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, properties[key] ?? {}])),
    required: required.filter((key) => keys.includes(key)),
  };
}

/**
 * The rows of a list that `field` narrows: no column is certain to be there. In a list of groups, whose
 * rows hold a list of the same name, `field` narrows the inner rows.
 */
function narrowedRows(rows: JsonSchema, name: string): JsonSchema {
  const { required: _, ...row } = rows.items ?? {};
  const inner = row.properties?.[name];
  return inner?.items
    ? {
        ...rows,
        items: {
          ...rows.items,
          properties: { ...row.properties, [name]: narrowedRows(inner, name) },
        },
      }
    : { ...rows, items: row };
}

/** The answer of a list, with all columns optional where the caller can select them. */
function answerOf({ input, output }: Endpoint): JsonSchema {
  const answer = toJson(output, 'output');
  if (!Object.hasOwn(input._zod.def.shape, 'field')) return answer;
  const properties = Object.entries(answer.properties ?? {}).map(([name, schema]) => [
    name,
    schema.items ? narrowedRows(schema, name) : schema,
  ]);
  return { ...answer, properties: Object.fromEntries(properties) };
}

const failure = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    error: { type: 'string', description: '与 message 相同' },
  },
  required: ['code', 'message', 'error'],
};

/** What @fastify/swagger needs to write the OpenAPI document from the same schemas that validate. */
export function describeEndpoint(endpoint: Endpoint) {
  const { method, path, access, summary, input, upload, download } = endpoint;
  const whole = toJson(input, 'input');
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const rest = Object.keys(whole.properties ?? {}).filter((key) => !inPath.includes(key));
  const inBody = method === 'POST' || method === 'PUT';
  const bodyKeys = rest.filter((key) => inBody || key === 'password');
  const queryKeys = rest.filter((key) => !bodyKeys.includes(key));
  return {
    summary,
    tags: [path.split('/')[1] ?? ''],
    description: access.startsWith('permission:') ? `需要权限 ${access.slice(11)}` : undefined,
    security: access === 'public' ? [] : [{ bearer: [] }],
    ...(inPath.length > 0 && { params: part(whole, inPath) }),
    ...(queryKeys.length > 0 && { querystring: part(whole, queryKeys) }),
    ...((inBody || bodyKeys.length > 0) &&
      !upload && { body: { ...part(whole, bodyKeys), additionalProperties: false } }),
    ...(upload && {
      consumes: ['multipart/form-data'],
      body: {
        type: 'object',
        properties: { file: { type: 'string', format: 'binary' } },
        required: ['file'],
      },
    }),
    response: {
      200: download
        ? { description: '成功', content: { [download.type]: { schema: { type: 'string' } } } }
        : { description: '成功', ...answerOf(endpoint) },
      default: { description: '失败', ...failure },
    },
  };
}
