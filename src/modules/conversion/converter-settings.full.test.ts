import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { createCategoryChain, newUpload, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { settingsTestClient } from '#modules/settings/settings.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { waitForRendition } from './conversion.fixture.ts';
import { readWorkbookLimits } from './convert/limits.ts';
import { makePdf } from './document-files.fixture.ts';

const { app, ctx, as } = await testApp({ runJobs: true, conversions: 'real' });
const root = await as.root();
const { set } = settingsTestClient(app, root);
const uploader = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);

const setSetting = async (key: string, value: string) => expect((await set(key, value)).statusCode).toBe(200);

/** Uploads the bytes as a new document; returns its id and that of its rendition. */
async function upload(bytes: Buffer, ext: string) {
  const attachment_id = await newUpload(ctx, uploader.id, { bytes, ext });
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/document',
    headers: uploader.headers,
    payload: { category_id, document: [{ title: '转换设置', attachment_id }] },
  });
  expect(response.statusCode, response.body).toBe(200);
  const { id } = response.json().document[0] as { id: number };
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  return { id, renditionId: row?.rendition_id ?? 0 };
}

const getDocument = async (id: number) =>
  (await app.inject({ url: `/api/v1/document?id=${id}`, headers: uploader.headers })).json() as Record<string, unknown>;

describe('the setting converter.timeout', () => {
  const { cpuSeconds } = readWorkbookLimits;
  afterEach(() => {
    readWorkbookLimits.cpuSeconds = cpuSeconds;
  });
  /** The maximum number of rows, each of the maximum length: takes more than a second. */
  const slowCsv = Buffer.from(
    Array.from({ length: 5_000 }, (_, row) => `${row},甲乙丙丁戊己庚辛壬癸,text ${row},`.repeat(65)).join('\n'),
  );

  test('fails a document that needs more processor time, which is converted after the limit is raised', async () => {
    // A tenth of a second per minute of the setting: less than any program needs to start.
    readWorkbookLimits.cpuSeconds = 0.3;
    await setSetting('converter.timeout', '1');
    const { id, renditionId } = await upload(slowCsv, '.csv');
    expect(await waitForRendition(ctx, renditionId)).toMatchObject({ state: 'failed', attempts: 1 });
    expect(await getDocument(id)).toMatchObject({
      convert_error: '转换超时，文档可能过大或过于复杂',
    });

    await setSetting('converter.timeout', '120');
    const response = await app.inject({
      method: 'PUT',
      url: '/api/v1/document/reconvert',
      headers: root,
      payload: { id: [id] },
    });
    expect(response.statusCode, response.body).toBe(200);
    expect(await waitForRendition(ctx, renditionId)).toMatchObject({ state: 'ready', reason: '' });
  });

  test.each(['0', '121', '1.5'])('rejects a value of %s minutes', async (value) => {
    expect((await set('converter.timeout', value)).json().message).toContain('1 到 120');
  });
});

describe('the setting converter.enable_convert_repeated_document', () => {
  test('converts an uploaded duplicate of a converted file again only when it is on', async () => {
    const bytes = makePdf({ text: () => 'repeated upload' });
    const { renditionId } = await upload(bytes, '.pdf');
    const first = await waitForRendition(ctx, renditionId);

    expect((await upload(bytes, '.pdf')).renditionId).toBe(renditionId);
    expect(await waitForRendition(ctx, renditionId)).toMatchObject({ claimed_at: first.claimed_at });

    await setSetting('converter.enable_convert_repeated_document', 'true');
    const secondUpload = await upload(bytes, '.pdf');
    expect(secondUpload.renditionId).toBe(renditionId);
    // Its pages stay readable during the new conversion.
    expect(await getDocument(secondUpload.id)).toMatchObject({ status: 2, ready_pages: 1 });
    const second = await waitForRendition(ctx, renditionId);
    expect(second).toMatchObject({ state: 'ready', pages: 1 });
    expect(second.claimed_at).not.toBe(first.claimed_at);
    await setSetting('converter.enable_convert_repeated_document', 'false');
  });
});
