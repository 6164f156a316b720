import * as z from 'zod/mini';
import type { Endpoint } from '#platform/contract/endpoint.ts';

type JsonSchema = {
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [key: string]: unknown;
};

const toJsonSchema = (schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
  });
  return json as JsonSchema;
};

function selectProperties(schema: JsonSchema, keys: string[]): JsonSchema {
  const { properties = {}, required = [] } = schema;
  return {
    type: 'object',
    properties: Object.fromEntries(keys.map((key) => [key, properties[key] ?? {}])),
    required: required.filter((key) => keys.includes(key)),
  };
}

/**
 * The parameter `field` selects columns, so every column of a row becomes optional. In a list of groups, whose rows hold
 * a list of the same name, `field` selects columns of the inner rows.
 */
function makeColumnsOptional(rows: JsonSchema, name: string): JsonSchema {
  const { required: _, ...row } = rows.items ?? {};
  const inner = row.properties?.[name];
  return inner?.items
    ? {
        ...rows,
        items: {
          ...rows.items,
          properties: { ...row.properties, [name]: makeColumnsOptional(inner, name) },
        },
      }
    : { ...rows, items: row };
}

/** The response of an endpoint, with all columns optional where the caller can select them. */
function responseSchema({ input, output }: Endpoint): JsonSchema {
  const response = toJsonSchema(output, 'output');
  if (!Object.hasOwn(input._zod.def.shape, 'field')) return response;
  const properties = Object.entries(response.properties ?? {}).map(([name, schema]) => [
    name,
    schema.items ? makeColumnsOptional(schema, name) : schema,
  ]);
  return { ...response, properties: Object.fromEntries(properties) };
}

const errorSchema = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    error: { type: 'string', description: '与 message 相同' },
  },
  required: ['code', 'message', 'error'],
};

/** The route schema for @fastify/swagger, derived from the same schemas that validate requests. */
export function endpointToOpenApi(endpoint: Endpoint) {
  const { method, path, access, summary, input, upload, download } = endpoint;
  const inputSchema = toJsonSchema(input, 'input');
  const pathKeys = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const otherKeys = Object.keys(inputSchema.properties ?? {}).filter((key) => !pathKeys.includes(key));
  const hasBody = method === 'POST' || method === 'PUT';
  const bodyKeys = otherKeys.filter((key) => hasBody || key === 'password');
  const queryKeys = otherKeys.filter((key) => !bodyKeys.includes(key));
  return {
    summary,
    tags: [path.split('/')[1] ?? ''],
    description: access.startsWith('permission:') ? `需要权限 ${access.slice(11)}` : undefined,
    security: access === 'public' ? [] : [{ bearer: [] }],
    ...(pathKeys.length > 0 && { params: selectProperties(inputSchema, pathKeys) }),
    ...(queryKeys.length > 0 && { querystring: selectProperties(inputSchema, queryKeys) }),
    ...((hasBody || bodyKeys.length > 0) &&
      !upload && { body: { ...selectProperties(inputSchema, bodyKeys), additionalProperties: false } }),
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
        : { description: '成功', ...responseSchema(endpoint) },
      default: { description: '失败', ...errorSchema },
    },
  };
}
