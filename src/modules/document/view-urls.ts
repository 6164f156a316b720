import type { ContentFormat } from '#modules/content/content.contract.ts';
import { pageName } from '#modules/content/page-name.ts';
import type { Context } from '#platform/server/context.ts';
import { type Signer, signerOf } from '#platform/server/site-secret.ts';

/** Links are good for one to two of these; within a period they stay the same, so caches keep them. */
const PERIOD_SECONDS = 3_600;
const SIGNER = 'view-links';

export type Viewed = { hash: string; format: ContentFormat; version: number };

const signedText = (path: string, expires: number) => `${path}?${expires}`;

/** Addresses of the pictures of a document, for whoever was found to be allowed to see them. */
export async function viewUrls(ctx: Context) {
  const signer = await signerOf(ctx, SIGNER);
  const seconds = ctx.now().getTime() / 1000;
  const expires = (Math.floor(seconds / PERIOD_SECONDS) + 2) * PERIOD_SECONDS;
  const url = ({ hash, format, version }: Viewed, part: string) => {
    const path = `${hash}/${format}/v${version}/${part}`;
    return `/view/${path}?e=${expires}&s=${signer.sign(signedText(path, expires))}`;
  };
  return {
    cover: (content: Viewed) => url(content, 'cover.webp'),
    page: (content: Viewed, page: number) => url(content, `p/${pageName(page)}.webp`),
    smallPage: (content: Viewed, page: number) => url(content, `s/${pageName(page)}.webp`),
    sharpPage: (content: Viewed, page: number) => url(content, `l/${pageName(page)}.webp`),
    /** `name` as it stands in a section: i/….webp */
    picture: (content: Viewed, name: string) => url(content, name),
  };
}
export type ViewUrls = Awaited<ReturnType<typeof viewUrls>>;

const PATH =
  /^([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{60})\/([a-z]{2,5}\/v\d{1,4}\/(?:cover|[psl]\/\d{5}|i\/[0-9a-f]{32})\.webp)$/;

/** The key in the storage and the seconds the link is still good for; null for any other link. */
export async function checkViewUrl(
  ctx: Context,
  { path, expires, signature }: { path: string; expires: string; signature: string },
): Promise<{ key: string; seconds: number } | null> {
  const match = PATH.exec(path);
  if (!match || !/^\d{1,12}$/.test(expires)) return null;
  const signer: Signer = await signerOf(ctx, SIGNER);
  const seconds = Math.floor(Number(expires) - ctx.now().getTime() / 1000);
  if (seconds <= 0 || !signer.isSigned(signedText(path, Number(expires)), signature)) return null;
  const [, first = '', second = '', rest = '', part = ''] = match;
  return { key: `blob/${first}/${second}/${first}${second}${rest}/${part}`, seconds };
}
