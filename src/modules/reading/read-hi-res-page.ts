import { derivedKeys } from '#modules/conversion/rendition-keys.ts';
import { requestHiResPage } from '#modules/conversion/request-hi-res-page.ts';
import { viewUrls } from '#modules/conversion/view-urls.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context } from '#platform/server/context.ts';
import { addressKey, forgiveAttempt, tallyAttempt } from '#platform/server/http/rate-limit.ts';
import { openDocument } from './open-document.ts';
import type { readingApi } from './reading.contract.ts';

/** Drawing costs a second or so; nobody turns pages faster than this while looking closely. */
const LIMIT = { max: 60, seconds: 60 };

/** A larger image of a page, if there is one; if not, it is being made from now on. */
export async function readHiResPage(ctx: Context, { id, page }: ParsedInputOf<typeof readingApi.sharp>) {
  const open = await openDocument(ctx, id);
  const isShown = open?.content.view === 'pages' && page <= open.readable;
  if (!isShown) return { url: '', pending: false };
  const { content } = open;
  if (await ctx.storage.stat(derivedKeys(content).hiResPage(page)))
    return {
      url: (await viewUrls(ctx)).hiResPage(content, { documentId: id, page }),
      pending: false,
    };
  // A page that is not there in its usual size is made first.
  if (content.state !== 'ready') return { url: '', pending: false };
  // Many may share an address; an account is one reader.
  const key = `sharp:${ctx.user ? `user ${ctx.user.id}` : addressKey(ctx.client.ip)}`;
  const { hits } = await tallyAttempt(ctx, key, LIMIT);
  const isRefused = hits > LIMIT.max;
  const isQueued = !isRefused && (await requestHiResPage(ctx, content.id, page));
  // Asking whether it is there yet costs nothing, and so is not counted.
  if (!isQueued) await forgiveAttempt(ctx, key);
  return { url: '', pending: !isRefused };
}
