import {
  addDocument,
  convert,
  newBranch,
  newUploader,
} from '#modules/document/document.fixture.ts';
import type { Context } from '#platform/server/context.ts';

/** A readable document of a new author. */
export async function newDocument(ctx: Context, fields: { title?: string } = {}) {
  const author = await newUploader(ctx);
  const { id, title } = await addDocument(ctx, author, {
    ...{ category_id: await newBranch(ctx, 1), ...fields },
  });
  await convert(ctx, id);
  return { id, title, author };
}
