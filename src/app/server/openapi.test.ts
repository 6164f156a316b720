import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { addPricedDocument } from '#modules/download/download-document.fixture.ts';
import { testApp } from '#testing/test-app.ts';

const { app, ctx } = await testApp();
await app.ready();

type Schema = { [key: string]: unknown; properties?: Record<string, Schema>; items?: Schema };
type Operation = {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};
const openapi = (await app.inject('/api/docs/json')).json() as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
};
const responseSchema = (path: string, method = 'get'): Schema =>
  openapi.paths[path]?.[method]?.responses[200]?.content?.['application/json']?.schema ?? {};

const { id, category_id } = await addPricedDocument(ctx, 0, { title: '家里的文档' });

describe('the OpenAPI document', () => {
  test('is valid OpenAPI 3.1', async () => {
    expect(openapi.openapi).toMatch(/^3\.1\./);
    const { valid, errors } = await new Validator().validate(structuredClone(openapi));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  test('has only snake_case names of parameters and fields', () => {
    const names: string[] = [];
    const collect = (schema: unknown): void => {
      if (Array.isArray(schema)) for (const each of schema) collect(each);
      if (typeof schema !== 'object' || schema === null) return;
      const { properties } = schema as Schema;
      if (typeof properties === 'object') names.push(...Object.keys(properties));
      for (const each of Object.values(schema)) collect(each);
    };
    for (const operation of Object.values(openapi.paths).flatMap((each) => Object.values(each))) {
      names.push(...(operation.parameters ?? []).map(({ name }) => name));
      collect([operation.requestBody, operation.responses]);
    }
    expect(names.length).toBeGreaterThan(1000);
    expect(names.filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  test('names the array of every list in the singular and includes the total', () => {
    const arrayKeys = (path: string) =>
      Object.entries(responseSchema(path).properties ?? {})
        .filter(([, schema]) => schema.type === 'array')
        .map(([key]) => key);
    for (const name of [
      ...['document', 'user', 'category', 'friendlink', 'banner', 'comment', 'report'],
      ...['attachment', 'favorite', 'article', 'group', 'permission'],
    ]) {
      expect([name, arrayKeys(`/api/v1/${name}/list`)]).toEqual([name, [name]]);
      expect(responseSchema(`/api/v1/${name}/list`).properties).toHaveProperty('total');
    }
  });

  test('describes times as RFC 3339 and ids as integers or strings', () => {
    const wrongFields: string[] = [];
    const inspect = (schema: unknown, place: string): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [key, value] of Object.entries((schema as Schema).properties ?? {})) {
        const text = JSON.stringify(value);
        if (/_at$/.test(key) && !/"format":"date-time"|"type":"integer"/.test(text))
          wrongFields.push(`${place} ${key}`);
        if (key === 'id' && !/"type":"(integer|string)"/.test(text)) wrongFields.push(`${place} ${key}`);
      }
      for (const [key, each] of Object.entries(schema)) inspect(each, `${place}/${key}`);
    };
    for (const path of Object.keys(openapi.paths)) inspect(responseSchema(path), path);
    expect(wrongFields).toEqual([]);
  });

  test('describes tuples with prefixItems', () => {
    const text = JSON.stringify(responseSchema('/api/v1/document/words'));
    expect(text).toContain('"prefixItems":[{"type":"string"}');
    expect(JSON.stringify(openapi)).not.toContain('"items":[');
  });

  test('describes the password of DELETE /user as a body and not as a query parameter', () => {
    const { parameters = [], requestBody } = openapi.paths['/api/v1/user']?.delete ?? {};
    expect(parameters.map(({ name }) => name)).toEqual(['id']);
    const body = requestBody?.content['application/json']?.schema;
    expect(Object.keys(body?.properties ?? {})).toEqual(['password']);
  });
});

test('the response of /document/home keeps its groups and rows when field selects columns', async () => {
  const { document } = (await app.inject('/api/v1/document/home?field=id&field=title')).json();
  const group = document.find((each: Schema) => each.category_id === category_id[0]);
  expect(group).toMatchObject({ category_cover: '', document: [{ id, title: '家里的文档' }] });
  expect(Object.keys(group.document[0])).toEqual(['id', 'title']);
});
