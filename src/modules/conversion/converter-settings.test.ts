import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { newBranch, newUpload, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { settingsKeeper } from '#modules/settings/settings.fixture.ts';
import { testApp } from '#testing/test-app.ts';
import { settled } from './conversion.fixture.ts';
import { readLimits } from './convert/limits.ts';
import { makePdf } from './document-files.fixture.ts';

const { app, ctx, as } = await testApp({ work: true, conversions: 'real' });
const root = await as.root();
const { set } = settingsKeeper(app, root);
const uploader = await newUploader(ctx);
const category_id = await newBranch(ctx);

const setSetting = async (key: string, value: string) => expect((await set(key, value)).statusCode).toBe(200);

/** Uploads the bytes as a new document; gives its number and that of its conversion. */
async function upload(bytes: Buffer, ext: string) {
  const attachment_id = await newUpload(ctx, uploader.id, { bytes, ext });
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/document',
    headers: uploader.headers,
    payload: { category_id, document: [{ title: '转换设置', attachment_id }] },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const { id } = answer.json().document[0] as { id: number };
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  return { id, contentId: row?.content_id ?? 0 };
}

const getDocument = async (id: number) =>
  (await app.inject({ url: `/api/v1/document?id=${id}`, headers: uploader.headers })).json() as Record<string, unknown>;

describe('converter.timeout', () => {
  const { cpuSeconds } = readLimits;
  afterEach(() => {
    readLimits.cpuSeconds = cpuSeconds;
  });
  /** As many rows as are shown, each as long as may be: takes more than a second. */
  const slowTable = Buffer.from(
    Array.from({ length: 5_000 }, (_, row) => `${row},甲乙丙丁戊己庚辛壬癸,text ${row},`.repeat(65)).join('\n'),
  );

  test('a document that needs more processor time fails with the reason, and is converted once the limit is raised', async () => {
    // A tenth of a second for each minute of the setting, less than any program needs to start.
    readLimits.cpuSeconds = 0.3;
    await setSetting('converter.timeout', '1');
    const { id, contentId } = await upload(slowTable, '.csv');
    expect(await settled(ctx, contentId)).toMatchObject({ state: 'failed', attempts: 1 });
    expect(await getDocument(id)).toMatchObject({
      convert_error: '转换超时，文档可能过大或过于复杂',
    });

    await setSetting('converter.timeout', '120');
    const answer = await app.inject({
      method: 'PUT',
      url: '/api/v1/document/reconvert',
      headers: root,
      payload: { id: [id] },
    });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(await settled(ctx, contentId)).toMatchObject({ state: 'ready', reason: '' });
  });

  test.each(['0', '121', '1.5'])('%s minutes are refused', async (value) => {
    expect((await set('converter.timeout', value)).json().message).toContain('1 到 120');
  });
});

describe('converter.enable_convert_repeated_document', () => {
  test('a converted file that is uploaded again is converted again only when the setting is on', async () => {
    const bytes = makePdf({ text: () => 'repeated upload' });
    const { contentId } = await upload(bytes, '.pdf');
    const first = await settled(ctx, contentId);

    expect((await upload(bytes, '.pdf')).contentId).toBe(contentId);
    expect(await settled(ctx, contentId)).toMatchObject({ claimed_at: first.claimed_at });

    await setSetting('converter.enable_convert_repeated_document', 'true');
    const repeated = await upload(bytes, '.pdf');
    expect(repeated.contentId).toBe(contentId);
    // Its pages can be read while they are made again.
    expect(await getDocument(repeated.id)).toMatchObject({ status: 2, ready_pages: 1 });
    const second = await settled(ctx, contentId);
    expect(second).toMatchObject({ state: 'ready', pages: 1 });
    expect(second.claimed_at).not.toBe(first.claimed_at);
    await setSetting('converter.enable_convert_repeated_document', 'false');
  });
});
