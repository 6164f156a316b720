import { createHash } from 'node:crypto';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { renditionStorageKeys } from '#modules/conversion/rendition-keys.ts';
import { documentCategories, documents } from '#modules/document/document.table.ts';
import { recordDocumentEvents } from '#modules/document/document-events.ts';
import type { Context } from '#platform/server/context.ts';
import { waitForEventDelivery } from '#platform/server/events/event-delivery.fixture.ts';

type PublishInput = Partial<typeof documents.$inferInsert> & {
  title: string;
  /** The text of each page. */
  pages: string[];
  category_id?: number[];
};

/** Inserts a converted document without page images and returns its id. */
export async function publishText(ctx: Context, { pages, category_id = [], ...fields }: PublishInput): Promise<number> {
  const text = pages.join('\f');
  const hash = createHash('sha256').update(crypto.randomUUID()).digest('hex');
  const [rendition] = await ctx.db
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
  if (!rendition) throw new Error('the rendition insert returned no row');
  await ctx.storage.put(renditionStorageKeys(rendition).text, Buffer.from(text));
  const [document] = await ctx.db
    .insert(documents)
    .values({
      user_id: 1,
      ext: '.txt',
      format: 'txt',
      size: text.length + 1,
      conversion_state: 'converted',
      language: 'zh',
      created_at: ctx.now().toISOString(),
      ...fields,
      rendition_id: rendition.id,
    })
    .returning();
  if (!document) throw new Error('the document insert returned no row');
  for (const category of category_id)
    await ctx.db.insert(documentCategories).values({ document_id: document.id, category_id: category });
  await recordDocumentEvents(ctx, 'created', [document.id]);
  await waitForEventDelivery(ctx);
  return document.id;
}
