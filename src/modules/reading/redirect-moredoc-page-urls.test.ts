import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { makePdf } from '#modules/conversion/document-files.fixture.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { documents } from '#modules/document/document.table.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { newPublisher } from './reading.fixture.ts';

type Headers = { authorization?: string; cookie?: string };
const { app, ctx, as } = await testApp({ runJobs: true });
const publisher = await newPublisher(ctx);
const id = await publisher.publish(makePdf({ pages: 4 }), '.pdf');
const twinId = await publisher.publish(makePdf({ pages: 4 }), '.pdf');
const member = await as.user();

const get = (url: string, headers: Headers = as.visitor) => app.inject({ method: 'GET', url, headers });
const attachmentOf = async (documentId: number) =>
  (await get(`/api/v1/document?id=${documentId}`, publisher.headers)).json().attachment;
const { hash } = await attachmentOf(id);
/** All that an <img> element sends: the cookie that a page request sets for /view. */
async function imageHeadersOf(headers: Headers): Promise<Headers> {
  const response = await get(`/api/v1/document/pages?id=${id}`, headers);
  const cookie = [response.headers['set-cookie'] ?? []].flat().find((each) => each.startsWith('douku_view='));
  return { cookie: cookie?.split(';')[0] ?? '' };
}
const setVisibility = (visibility: 0 | 1 | 2) =>
  ctx.db.update(documents).set({ visibility }).where(eq(documents.id, id));

describe('the attachment of a document', () => {
  test('has the same hash, extension and size in the document and in lists', async () => {
    const expected = { hash, ext: '.pdf', size: makePdf({ pages: 4 }).length };
    expect(await attachmentOf(id)).toEqual(expected);
    const { document } = (await get(`/api/v1/document/list?id=${id}`)).json();
    expect(document[0].attachment).toEqual(expected);
    const narrowedResponse = await get(`/api/v1/document/list?id=${id}&field=attachment`);
    expect(narrowedResponse.json().document).toEqual([{ attachment: expected }]);
  });

  test('has a hash that differs from the file hash and from the hash of another document of the same file', async () => {
    const [rendition] = await ctx.db
      .select({ hash: renditions.hash })
      .from(documents)
      .innerJoin(renditions, eq(renditions.id, documents.rendition_id))
      .where(eq(documents.id, id));
    expect(hash).toMatch(/^[0-9a-f]{32}$/);
    expect(rendition?.hash).not.toContain(hash.slice(12));
    expect((await attachmentOf(twinId)).hash).not.toBe(hash);
  });
});

describe('the moredoc URL of a cover or page', () => {
  test('redirects a visitor of a public document to the signed images', async () => {
    for (const address of [
      `/view/cover/${hash}`,
      `/view/page/${hash}/2.svg`,
      `/view/page/${hash}/2.gzip.svg`,
      `/view/page/${hash}/2.webp`,
    ]) {
      const answer = await get(address);
      expect(answer.statusCode, address).toBe(302);
      expect(answer.headers['cache-control']).toBe('no-store');
      const image = await get(String(answer.headers.location));
      expect(image.headers['content-type']).toBe('image/webp');
    }
  });

  test('returns 404 for a hash that this site did not issue', async () => {
    const guessedHashes = [hash.replace(/.$/, (digit: string) => (digit === '0' ? '1' : '0'))];
    guessedHashes.push(`${hash.slice(0, 12)}${'0'.repeat(20)}`, 'f'.repeat(32), 'nonsense');
    for (const each of guessedHashes) {
      expect((await get(`/view/cover/${each}`)).statusCode).toBe(404);
      expect((await get(`/view/page/${each}/1.svg`)).statusCode).toBe(404);
    }
    for (const file of ['0.svg', '1.exe', 'cover', '99999999.svg'])
      expect((await get(`/view/page/${hash}/${file}`)).statusCode, file).toBe(404);
  });

  test('refuses a page past the preview limit with 403, but not to the owner', async () => {
    await setSetting(ctx, 'converter.max_preview', '2');
    expect((await get(`/view/page/${hash}/2.svg`)).statusCode).toBe(302);
    expect((await get(`/view/page/${hash}/3.svg`)).statusCode).toBe(403);
    expect((await get(`/view/page/${hash}/3.svg`, publisher.headers)).statusCode).toBe(302);
    await setSetting(ctx, 'converter.max_preview', '0');
  });

  test('returns the same error as the API to callers who may not see the document', async () => {
    for (const [visibility, status] of [
      [1, 401],
      [2, 404],
    ] as const) {
      await setVisibility(visibility);
      const apiResponse = await get(`/api/v1/document?id=${id}`);
      for (const address of [`/view/cover/${hash}`, `/view/page/${hash}/1.svg`]) {
        const answer = await get(address);
        expect([answer.statusCode, answer.json()]).toEqual([status, apiResponse.json()]);
        expect((await get(address, publisher.headers)).statusCode).toBe(302);
        expect((await get(address, member)).statusCode).toBe(visibility === 1 ? 302 : 404);
      }
    }
    await setVisibility(0);
  });

  test('of a members-only document redirects an <img> element of a member, which sends only the cookie', async () => {
    const memberImage = await imageHeadersOf(member);
    const ownerImage = await imageHeadersOf(publisher.headers);
    for (const [visibility, memberStatus] of [
      [1, 302],
      [2, 404],
    ] as const) {
      await setVisibility(visibility);
      for (const address of [`/view/cover/${hash}`, `/view/page/${hash}/1.svg`]) {
        expect((await get(address, memberImage)).statusCode, address).toBe(memberStatus);
        const redirection = await get(address, ownerImage);
        expect(redirection.statusCode, address).toBe(302);
        const image = await get(String(redirection.headers.location), ownerImage);
        expect([image.statusCode, image.headers['content-type']]).toEqual([200, 'image/webp']);
        const forgedImage = { cookie: `${memberImage.cookie?.slice(0, -4)}AAAA` };
        expect((await get(address, forgedImage)).statusCode).toBe(visibility === 1 ? 401 : 404);
      }
    }
    await setVisibility(0);
  });

  test('redirects an <img> element past the preview limit only for the owner', async () => {
    await setSetting(ctx, 'converter.max_preview', '2');
    expect((await get(`/view/page/${hash}/3.svg`, await imageHeadersOf(member))).statusCode).toBe(403);
    expect((await get(`/view/page/${hash}/3.svg`, await imageHeadersOf(publisher.headers))).statusCode).toBe(302);
    await setSetting(ctx, 'converter.max_preview', '0');
  });

  test('returns 401 to visitors while the site requires login', async () => {
    await setSetting(ctx, 'security.login_required', 'true');
    expect((await get(`/view/cover/${hash}`)).statusCode).toBe(401);
    expect((await get(`/view/cover/${hash}`, member)).statusCode).toBe(302);
    await setSetting(ctx, 'security.login_required', 'false');
  });
});
