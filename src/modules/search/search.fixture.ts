import { createHash } from 'node:crypto';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import { documentCategories, documents } from '#modules/document/document.table.ts';
import type { Context } from '#platform/server/context.ts';

type Published = Partial<typeof documents.$inferInsert> & {
  title: string;
  /** The text of each page. */
  pages: string[];
  category_id?: number[];
};

/** A document as a finished conversion leaves it, without the pictures. Gives its number. */
export async function publishText(ctx: Context, { pages, category_id = [], ...fields }: Published): Promise<number> {
  const text = pages.join('\f');
  const hash = createHash('sha256').update(crypto.randomUUID()).digest('hex');
  const [content] = await ctx.db
    .insert(renditions)
    .values({
      hash,
      format: 'txt',
      size: text.length + 1,
      state: 'ready',
      version: 1,
      view: 'flow',
      pages: pages.length,
      ready_pages: pages.length,
      language: 'zh',
      text_size: Buffer.byteLength(text),
    })
    .returning();
  if (!content) throw new Error('no content was made');
  await ctx.storage.put(derivedKeys(content).text, Buffer.from(text));
  const [document] = await ctx.db
    .insert(documents)
    .values({
      user_id: 1,
      ext: '.txt',
      format: 'txt',
      size: text.length + 1,
      status: 2,
      language: 'zh',
      created_at: ctx.now().toISOString(),
      ...fields,
      content_id: content.id,
    })
    .returning();
  if (!document) throw new Error('no document was made');
  for (const category of category_id)
    await ctx.db.insert(documentCategories).values({ document_id: document.id, category_id: category });
  return document.id;
}
