import { addDocument, newBranch } from '#modules/document/document.fixture.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import type { startSite } from './support/site.ts';

type Site = Pick<Awaited<ReturnType<typeof startSite>>, 'ctx' | 'pool'>;

/** Somebody who uploads, with a category to put things in. */
export async function newAuthor({ ctx }: Site) {
  const author = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
  const category_id = await newBranch(ctx);
  return {
    ...author,
    category_id,
    /** A text, which is converted at once; or a broken file, which cannot be. */
    addDocument: async (title: string, { broken = false, price = 0 } = {}) => {
      const text = `${title}\n\n${'书中有正文，正文分段落。\n'.repeat(40)}`;
      const file = broken
        ? { bytes: Buffer.from(`%PDF-1.7 ${title}`), ext: '.pdf' }
        : { bytes: Buffer.from(text), ext: '.txt' };
      const { id } = await addDocument(ctx, author, { title, price, category_id, ...file });
      return id;
    },
  };
}

/** Generous, as limits of vitest.config.ts are. */
const STATUS_LIMIT_MS = 180_000;

/** Waits until the conversion has brought a document into that state. */
export async function waitForStatus({ pool }: Site, id: number, status: number): Promise<void> {
  for (const until = Date.now() + STATUS_LIMIT_MS; Date.now() < until; ) {
    const { rows } = await pool.query('select status from documents where id = $1', [id]);
    if (rows[0]?.status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`document ${id} did not reach status ${status}`);
}

/** Adds documents of an author, each of which can be read when it is returned. */
export const createReadableDocumentFactory =
  (site: Site, author: Awaited<ReturnType<typeof newAuthor>>) => async (title: string) => {
    const id = await author.addDocument(title);
    await waitForStatus(site, id, 2);
    return id;
  };
