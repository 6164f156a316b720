import { eq } from 'drizzle-orm';
import { awardCredit } from '#modules/credit/credit.ts';
import { addConvertedDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import type { Context } from '#platform/server/context.ts';

/** Adds a converted document with this price and a new author. */
export async function addPricedDocument(
  ctx: Context,
  price: number,
  fields: { title?: string; description?: string; bytes?: Buffer; ext?: string } = {},
) {
  const author = await newUploader(ctx);
  const category_id = await createCategoryChain(ctx);
  const id = await addConvertedDocument(ctx, author, { category_id, price, ...fields });
  return { id, author, category_id };
}

/** Adds an ordinary user with this amount of credit. */
export async function newReaderWithCredit(ctx: Context, credit = 0) {
  const reader = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
  await awardCredit(ctx, reader.id, credit, {
    key: `start:${reader.id}`,
    reason: 'register',
    reference: '',
  });
  return reader;
}

export async function readDownloadCount(ctx: Context, id: number): Promise<number> {
  const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  return row?.download_count ?? -1;
}
