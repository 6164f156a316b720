import type { Context } from '#platform/server/context.ts';
import { createSigner, type Signer } from '#platform/server/site-secret.ts';
import { pageName } from './page-name.ts';
import type { RenditionVersion } from './rendition-keys.ts';

/** A link is valid for one to two periods. It is constant within a period, so that caches can store it. */
const LINK_PERIOD_SECONDS = 3_600;
const SIGNER = 'view-links';

const signedText = (path: string, expires: number) => `${path}?${expires}`;

/** Page 0 is the cover. */
type DocumentPageNumber = { documentId: number; page: number };

/**
 * URLs of the images of documents. A link alone grants no access: rights are checked when it is served.
 * `isPersonal`: the images differ between readers, so the URLs do, too, and browsers cache them separately.
 */
export async function createPageImageUrls(ctx: Context, { isPersonal = false } = {}) {
  const signer = await createSigner(ctx, SIGNER);
  const seconds = ctx.now().getTime() / 1000;
  const expires = (Math.floor(seconds / LINK_PERIOD_SECONDS) + 2) * LINK_PERIOD_SECONDS;
  const viewer = isPersonal ? `&u=${ctx.user?.id ?? 0}` : '';
  const url = (
    { hash, format, version }: RenditionVersion,
    { documentId, page }: DocumentPageNumber,
    part: string,
  ): string => {
    const path = `${documentId}/${page}/${hash}/${format}/v${version}/${part}`;
    return `/view/${path}?e=${expires}&s=${signer.sign(signedText(path, expires))}${viewer}`;
  };
  return {
    cover: (rendition: RenditionVersion, documentId: number) => url(rendition, { documentId, page: 0 }, 'cover.webp'),
    page: (rendition: RenditionVersion, page: DocumentPageNumber) =>
      url(rendition, page, `p/${pageName(page.page)}.webp`),
    smallPage: (rendition: RenditionVersion, page: DocumentPageNumber) =>
      url(rendition, page, `s/${pageName(page.page)}.webp`),
    hiResPage: (rendition: RenditionVersion, page: DocumentPageNumber) =>
      url(rendition, page, `l/${pageName(page.page)}.webp`),
    /** `name` is the path in a section: i/….webp */
    picture: (rendition: RenditionVersion, page: DocumentPageNumber, name: string) => url(rendition, page, name),
  };
}
export type PageImageUrls = Awaited<ReturnType<typeof createPageImageUrls>>;

const PATH =
  /^(?<documentId>\d{1,15})\/(?<page>\d{1,6})\/(?<hash>[0-9a-f]{64})\/(?<part>[a-z][a-z0-9]*\/v\d{1,4}\/(?:cover|[psl]\/\d{5}|i\/[0-9a-f]{32})\.webp)$/;

export type PageImageLink = DocumentPageNumber & {
  /** An image of a whole page, in any size. */
  isPage: boolean;
  /** Hash of the original file. */
  hash: string;
  /** Storage key of the image. */
  key: string;
  seconds: number;
};

/** Returns null for a link that this site did not sign, or that has expired. */
export async function verifyPageImageUrl(
  ctx: Context,
  { path, expires, signature }: { path: string; expires: string; signature: string },
): Promise<PageImageLink | null> {
  const { documentId, page, hash, part } = PATH.exec(path)?.groups ?? {};
  if (!hash || !/^\d{1,12}$/.test(expires)) return null;
  const signer: Signer = await createSigner(ctx, SIGNER);
  const seconds = Math.floor(Number(expires) - ctx.now().getTime() / 1000);
  if (seconds <= 0 || !signer.verify(signedText(path, Number(expires)), signature)) return null;
  return {
    documentId: Number(documentId),
    page: Number(page),
    hash,
    isPage: /\/[psl]\//.test(part ?? ''),
    key: `blob/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}/${part}`,
    seconds,
  };
}
