import path from 'node:path';
import { Readable } from 'node:stream';
import type { PgTable } from 'drizzle-orm/pg-core';
import sharp from 'sharp';
import { storeUploadedImage } from '#modules/attachment/store-uploaded-image.ts';
import { banners } from '#modules/banner/banner.table.ts';
import { createBanner } from '#modules/banner/banner.ts';
import { friendLinks } from '#modules/friend-link/friend-link.table.ts';
import { createFriendLink } from '#modules/friend-link/friend-link.ts';
import { createSynonym } from '#modules/search/query/synonyms.ts';
import { synonyms } from '#modules/search/search.table.ts';
import { getSettings, setSetting } from '#modules/settings/settings.ts';
import type { UserContext } from '#platform/server/context.ts';
import { countRows } from '#platform/server/db/list-query.ts';
import { readHomePage } from './read-demo-data.ts';
import { demoFolder } from './read-demo-documents.ts';

/** Adds banners, recommended words, friend links and synonyms where the site has none. */
export async function setUpHomePage(ctx: UserContext): Promise<void> {
  const { banners: demoBanners, friend_links, recommended_words, synonyms: demoSynonyms } = readHomePage();
  const isEmpty = async (table: PgTable) => (await countRows(ctx.db, table)) === 0;
  if (await isEmpty(banners))
    for (const [index, { title, url, image }] of demoBanners.entries()) {
      const picture = await sharp(path.join(demoFolder, 'banners', image))
        .png()
        .toBuffer();
      const stream = Readable.from([picture]);
      const file = { name: `${title}.png`, mimeType: 'image/png', stream, maxLength: picture.length };
      const storedImage = await storeUploadedImage(ctx, 'banner', file);
      const sort = demoBanners.length - index;
      await createBanner(ctx, { title, url, path: storedImage.path, sort, description: '', enable: true, type: 0 });
    }
  if (await isEmpty(friendLinks))
    for (const link of friend_links) await createFriendLink(ctx, { ...link, sort: 0, enable: true });
  if (await isEmpty(synonyms)) for (const words of demoSynonyms) await createSynonym(ctx, { words, enable: true });
  if ((await getSettings(ctx)).system.recommend_words.length === 0)
    await setSetting(ctx, 'system.recommend_words', recommended_words.join('，'));
}
