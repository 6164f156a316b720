import { eq } from 'drizzle-orm';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { addDocument, createCategoryChain, newUploader } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import type { Context } from '#platform/server/context.ts';

/** A user whose uploads are really converted. */
export async function newPublisher(ctx: Context) {
  const owner = await newUploader(ctx);
  const category_id = await createCategoryChain(ctx);
  return {
    ...owner,
    category_id,
    /** Returns the document id after the conversion has finished. */
    async publish(bytes: Buffer, ext: string, fields: { title?: string; price?: number } = {}) {
      const title = `可以读的文档 ${crypto.randomUUID()}`;
      const { id } = await addDocument(ctx, owner, { title, ...fields, category_id, bytes, ext });
      const [row] = await ctx.db.select().from(documents).where(eq(documents.id, id));
      await waitForRendition(ctx, row?.rendition_id ?? 0);
      return id;
    },
  };
}
