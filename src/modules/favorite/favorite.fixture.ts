import { createUserWithCredit } from '#modules/credit/credit.fixture.ts';
import {
  addDocument,
  createCategoryChain,
  newUploader,
  setConversionState,
} from '#modules/document/document.fixture.ts';
import { loginHeaders, roleIdOf } from '#modules/role/role.fixture.ts';
import { grantRole } from '#modules/role/user-roles.ts';
import type { Context } from '#platform/server/context.ts';

export async function newDocument(ctx: Context, fields: { title?: string } = {}) {
  const author = await newUploader(ctx);
  const { id, title } = await addDocument(ctx, author, {
    category_id: await createCategoryChain(ctx, 1),
    ...fields,
  });
  await setConversionState(ctx, id);
  return { id, title, author };
}

/** A user with the default role. It has no usable password, because hashing one is slow. */
export async function newReader(ctx: Context) {
  const id = await createUserWithCredit(ctx);
  await grantRole(ctx, id, await roleIdOf(ctx, '普通用户'));
  return { id, headers: await loginHeaders(ctx, id) };
}
