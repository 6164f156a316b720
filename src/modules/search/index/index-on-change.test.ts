import { afterAll, expect, test, vi } from 'vitest';
import { changeDocument } from '#modules/document/document.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { publishText } from '../search.fixture.ts';
import { indexDocuments } from './index-documents.ts';
import { indexOnChange } from './index-on-change.ts';

const { app, ctx } = await testApp({ runJobs: true });
afterAll(indexOnChange(ctx));

test('a change of a document starts the indexing job', async () => {
  const send = vi.spyOn(ctx.jobs, 'send');
  await publishText(ctx, { title: '另一份文档', pages: ['斑马'] });
  await expect.poll(() => send.mock.calls.map(([{ name }]) => name)).toContain(indexDocuments.name);
  send.mockRestore();
});

test('a running server indexes a new document and a changed title without waiting for the schedule', async () => {
  const titles = async (wd: string) => {
    const answer = await app.inject({ url: '/api/v1/document/search', query: { wd } });
    return answer.json().document.map(({ title }: { title: string }) => title);
  };
  const id = await publishText(ctx, { title: '新来的文档', pages: ['长颈鹿'] });
  await expect.poll(() => titles('长颈鹿')).toEqual(['新来的文档']);
  await changeDocument(ctx, id, { title: '改名的文档' });
  await expect.poll(() => titles('改名')).toEqual(['改名的文档']);
});
