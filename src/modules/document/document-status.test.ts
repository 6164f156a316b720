import { expect, test } from 'vitest';
import { testApp } from '#testing/test-app.ts';
import { addDocument, changeDocument, createCategoryChain, newUploader } from './document.fixture.ts';

const { app, as, ctx } = await testApp();
const owner = await newUploader(ctx);
const { id } = await addDocument(ctx, owner, { category_id: await createCategoryChain(ctx) });

test.each([
  [0, '待转换'],
  [1, '转换中'],
  [2, '已转换'],
  [3, '转换失败'],
  [4, '已禁用'],
  [5, '重新转换'],
  [6, '待审核'],
  [7, '审核拒绝'],
] as const)('the status %i of a document is exported as %s', async (status, label) => {
  await changeDocument(ctx, id, { status });
  const headers = await as.root();
  const answer = await app.inject({ url: '/api/v1/document/list.csv', headers });
  const [header = '', row = ''] = answer.body.split('\r\n');
  const column = header.split(',').indexOf('状态');
  expect(row.split(',')[column]).toBe(label);
});
