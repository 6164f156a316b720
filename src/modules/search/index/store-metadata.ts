import { sql } from 'drizzle-orm';
import type { Context } from '#platform/server/context.ts';
import type { IndexEntry } from './build-index-entry.ts';

/** Writes the filter and sort fields of documents; from then on `updateSearchMetadata` follows their changes. */
export async function storeMetadata(ctx: Context, entries: readonly IndexEntry[]): Promise<void> {
  const documents = JSON.stringify(entries.map(({ id, title, textSize }) => ({ id, title, bytes: textSize })));
  await ctx.db.execute(sql`
    insert into search_documents (document_id, scope, user_id, ext, language, price, pages, size,
      created_at, categories, quality, title, text_size, twin_group)
    select d.id, search_scope(d.deleted_at, d.visibility, d.status), d.user_id, d.ext, d.language,
      d.price, coalesce(r.pages, 0), d.size, d.created_at,
      array(select category_id from document_categories where document_id = d.id order by category_id),
      search_quality(d.view_count, d.download_count, d.favorite_count, d.score), entry.title, entry.bytes,
      coalesce((select twin_group from document_twins where document_id = d.id), 0)
    from jsonb_to_recordset(${documents}::jsonb) entry (id bigint, title text, bytes int)
    join documents d on d.id = entry.id left join renditions r on r.id = d.rendition_id
    order by d.id
    on conflict (document_id) do update set scope = excluded.scope, user_id = excluded.user_id,
      ext = excluded.ext, language = excluded.language, price = excluded.price,
      pages = excluded.pages, size = excluded.size, created_at = excluded.created_at,
      categories = excluded.categories, quality = excluded.quality, title = excluded.title,
      text_size = excluded.text_size, twin_group = excluded.twin_group, indexed_at = now()`);
}

/** `textSize` in bytes. */
export async function countIndexedDocuments(ctx: Context): Promise<{ documents: number; textSize: number }> {
  const { rows } = await ctx.db.execute<{ documents: string; text_size: string }>(sql`
    select count(*) filter (where scope < 3) as documents,
      coalesce(sum(text_size), 0) as text_size from search_documents`);
  return {
    documents: Number(rows[0]?.documents ?? 0),
    textSize: Number(rows[0]?.text_size ?? 0),
  };
}
