import { seedArticles } from '#modules/article/seed-articles.ts';
import { seedCategories } from '#modules/category/seed-categories.ts';
import { seedAdministrator, seedPermissions, seedRoles } from '#modules/role/seed-roles.ts';
import type { Context } from '#platform/server/context.ts';

/** Creates the initial data of an empty site. Returns the password of the administrator if it was generated. */
export async function seedSite(ctx: Context): Promise<string | null> {
  await seedPermissions(ctx);
  await seedRoles(ctx);
  const password = await seedAdministrator(ctx);
  await seedCategories(ctx);
  await seedArticles(ctx);
  return password;
}
