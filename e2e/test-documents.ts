import { addDocument, createCategoryChain } from '#modules/document/document.fixture.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import type { startTestSite } from './support/site.ts';

type Site = Pick<Awaited<ReturnType<typeof startTestSite>>, 'ctx' | 'pool'>;

/** A member who uploads, with a category for the documents. */
export async function newAuthor({ ctx }: Site) {
  const author = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
  const category_id = await createCategoryChain(ctx);
  return {
    ...author,
    category_id,
    /** Adds a text file, or a broken PDF whose conversion fails. */
    addDocument: async (title: string, { isBroken = false, price = 0 } = {}) => {
      const text = `${title}\n\n${'书中有正文，正文分段落。\n'.repeat(40)}`;
      const file = isBroken
        ? { bytes: Buffer.from(`%PDF-1.7 ${title}`), ext: '.pdf' }
        : { bytes: Buffer.from(text), ext: '.txt' };
      const { id } = await addDocument(ctx, author, { title, price, category_id, ...file });
      return id;
    },
  };
}

/** Generous, as the timeouts in vitest.config.ts are. */
const STATUS_TIMEOUT_MS = 600_000;

/** Polls the database until the document has the status. */
export async function waitForStatus({ pool }: Site, id: number, status: number): Promise<void> {
  for (const deadline = Date.now() + STATUS_TIMEOUT_MS; Date.now() < deadline; ) {
    const { rows } = await pool.query('select status from documents where id = $1', [id]);
    if (rows[0]?.status === status) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`document ${id} did not reach status ${status}`);
}

/** Returns a function that adds a document of the author and waits for its conversion. */
export const createReadableDocumentFactory =
  (site: Site, author: Awaited<ReturnType<typeof newAuthor>>) => async (title: string) => {
    const id = await author.addDocument(title);
    await waitForStatus(site, id, 2);
    return id;
  };
