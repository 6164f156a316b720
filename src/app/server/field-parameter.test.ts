import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { makePicture, uploadRequest } from '#modules/attachment/picture.fixture.ts';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { enqueueMail } from '#modules/mail/mail.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';

type Schema = Record<string, unknown>;
type Operation = {
  parameters?: { name: string; required?: boolean }[];
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
};
type Row = Record<string, unknown>;

const { app, ctx, as } = await testApp();
await app.ready();
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
const root = await as.root();
const uploader = await newUploader(ctx);

const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, headers = root) => {
  const response = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
  expect(response.statusCode, `${method} ${path} ${response.body}`).toBe(200);
};

async function seedRows(): Promise<void> {
  const category_id = await createCategoryChain(ctx);
  const rendition = { pages: 3, ready_pages: 3, view: 'pages' } as const;
  const addPages = (title: string) => addConvertedDocument(ctx, uploader, { category_id, title }, rendition);
  const id = await addPages('观潮记');
  const deletedId = await addPages('已删除');
  await send('POST', '/follow', { user_id: uploader.id });
  await send('POST', '/follow', { user_id: 1 }, uploader.headers);
  await send('POST', '/comment', { document_id: id, content: '评论' });
  await send('POST', '/comment', { document_id: id, content: '评论' }, uploader.headers);
  await send('POST', '/report', { document_id: id, reason: 1 });
  await send('POST', '/favorite', { document_id: id });
  await send('POST', '/favorite', { document_id: id }, uploader.headers);
  await send('PUT', '/document/position', { id, page: 1, offset: 0 });
  await send('GET', `/document/download?id=${id}`);
  await send('GET', `/document/search?wd=${encodeURIComponent('观潮')}`);
  await send('DELETE', `/document?id=${deletedId}`);
  await send('POST', '/friendlink', { title: '友站', link: 'https://example.com' });
  await send('POST', '/synonym', { words: ['电脑', '计算机'] });
  await send('PUT', '/user/sign', {});
  const banner = await app.inject(uploadRequest('banner', await makePicture(), 'a.png', root));
  await send('POST', '/banner', { title: '横幅', path: banner.json().data.path });
  await enqueueMail(ctx, { to: 'a@b.example', subject: '题', paragraphs: ['文'] });
}
await seedRows();

const { paths } = (await app.inject('/api/docs/json')).json() as { paths: Record<string, { get?: Operation }> };
const lists = Object.entries(paths).flatMap(([path, { get }]) =>
  get?.parameters?.some(({ name }) => name === 'field') ? [{ path, operation: get }] : [],
);
const ajv = new Ajv2020({ strict: false, validateFormats: false });

test('the tested lists are those of the OpenAPI document', () => {
  expect(lists.length).toBeGreaterThanOrEqual(25);
});

test.each(lists)('the rows of $path match their schema with and without the parameter field', async (list) => {
  const schema = list.operation.responses[200]?.content['application/json']?.schema ?? {};
  const check = ajv.compile(schema);
  const isRequired = (name: string) => list.operation.parameters?.some((each) => each.name === name && each.required);
  const readRows = async (fields: string[]): Promise<Row[]> => {
    const query = new URLSearchParams(fields.map((field): [string, string] => ['field', field]));
    if (isRequired('user_id')) query.set('user_id', '1');
    const response = await app.inject({ url: `${list.path}?${query}`, headers: root });
    expect(response.statusCode, response.body).toBe(200);
    check(response.json());
    expect(check.errors ?? [], `${list.path}?${query}`).toEqual([]);
    const rows = Object.values(response.json() as Row).find((value) => Array.isArray(value)) as Row[];
    expect(rows.length, `rows of ${list.path}`).toBeGreaterThan(0);
    // The rows of the home page are groups, whose inner rows are narrowed.
    return rows.flatMap((row) => (Array.isArray(row.document) ? (row.document as Row[]) : [row]));
  };
  const names = Object.keys((await readRows([]))[0] ?? {});
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) expect(Object.keys((await readRows([name]))[0] ?? {})).toEqual([name]);
});
