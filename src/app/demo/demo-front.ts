import { Readable } from 'node:stream';
import type { PgTable } from 'drizzle-orm/pg-core';
import { receiveImage } from '#modules/attachment/receive-image.ts';
import { banners } from '#modules/banner/banner.table.ts';
import { createBanner } from '#modules/banner/banner.ts';
import { friendLinks } from '#modules/friend-link/friend-link.table.ts';
import { createFriendLink } from '#modules/friend-link/friend-link.ts';
import { createSynonym } from '#modules/search/query/synonyms.ts';
import { synonyms } from '#modules/search/search.table.ts';
import { getSettings, setSetting } from '#modules/settings/settings.ts';
import type { UserContext } from '#platform/server/context.ts';
import { countRows } from '#platform/server/db/list-query.ts';
import { bannerTexts, links, recommendedWords, sameWords } from './library/front.ts';
import { drawBanner } from './writers/banner.ts';

/** Banners, recommended words, friends and synonyms, as far as the operator has none. */
export async function dressFront(ctx: UserContext): Promise<void> {
  const lacks = async (table: PgTable) => (await countRows(ctx.db, table)) === 0;
  if (await lacks(banners))
    for (const [at, { title, url, ...wanted }] of bannerTexts.entries()) {
      const stream = Readable.from([await drawBanner(wanted)]);
      const file = { name: `${title}.png`, mimeType: 'image/png', stream };
      const { path } = await receiveImage(ctx, 'banner', file);
      const sort = bannerTexts.length - at;
      await createBanner(ctx, { title, url, path, sort, description: '', enable: true, type: 0 });
    }
  if (await lacks(friendLinks))
    for (const link of links) await createFriendLink(ctx, { ...link, sort: 0, enable: true });
  if (await lacks(synonyms)) for (const words of sameWords) await createSynonym(ctx, { words, enable: true });
  if ((await getSettings(ctx)).system.recommend_words.length === 0)
    await setSetting(ctx, 'system.recommend_words', recommendedWords.join('，'));
}
