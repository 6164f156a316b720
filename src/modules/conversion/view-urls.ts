import type { Context } from '#platform/server/context.ts';
import { type Signer, signerOf } from '#platform/server/site-secret.ts';
import type { FileFormat } from './conversion.contract.ts';
import { pageName } from './page-name.ts';

/** Links are good for one to two of these; within a period they stay the same, so caches keep them. */
const PERIOD_SECONDS = 3_600;
const SIGNER = 'view-links';

export type Viewed = { hash: string; format: FileFormat; version: number };

const signedText = (path: string, expires: number) => `${path}?${expires}`;

/** The image of a document that a link names; page 0 is its cover. */
type ViewPlace = { documentId: number; page: number };

/** Addresses of the images of documents. A link is no right: it is checked when it is served. */
export async function viewUrls(ctx: Context) {
  const signer = await signerOf(ctx, SIGNER);
  const seconds = ctx.now().getTime() / 1000;
  const expires = (Math.floor(seconds / PERIOD_SECONDS) + 2) * PERIOD_SECONDS;
  const url = ({ hash, format, version }: Viewed, { documentId, page }: ViewPlace, part: string): string => {
    const path = `${documentId}/${page}/${hash}/${format}/v${version}/${part}`;
    return `/view/${path}?e=${expires}&s=${signer.sign(signedText(path, expires))}`;
  };
  return {
    cover: (content: Viewed, documentId: number) => url(content, { documentId, page: 0 }, 'cover.webp'),
    page: (content: Viewed, place: ViewPlace) => url(content, place, `p/${pageName(place.page)}.webp`),
    smallPage: (content: Viewed, place: ViewPlace) => url(content, place, `s/${pageName(place.page)}.webp`),
    sharpPage: (content: Viewed, place: ViewPlace) => url(content, place, `l/${pageName(place.page)}.webp`),
    /** `name` as it stands in a section: i/….webp */
    picture: (content: Viewed, place: ViewPlace, name: string) => url(content, place, name),
  };
}
export type ViewUrls = Awaited<ReturnType<typeof viewUrls>>;

const PATH =
  /^(?<documentId>\d{1,15})\/(?<page>\d{1,6})\/(?<hash>[0-9a-f]{64})\/(?<part>[a-z]+\/v\d{1,4}\/(?:cover|[psl]\/\d{5}|i\/[0-9a-f]{32})\.webp)$/;

export type ViewLink = ViewPlace & {
  /** Of the file whose image it is. */
  hash: string;
  /** Where the image lies in the storage. */
  key: string;
  /** Seconds until the link expires. */
  seconds: number;
};

/** What a link names; null for one that this site did not make, or that has expired. */
export async function readViewUrl(
  ctx: Context,
  { path, expires, signature }: { path: string; expires: string; signature: string },
): Promise<ViewLink | null> {
  const { documentId, page, hash, part } = PATH.exec(path)?.groups ?? {};
  if (!hash || !/^\d{1,12}$/.test(expires)) return null;
  const signer: Signer = await signerOf(ctx, SIGNER);
  const seconds = Math.floor(Number(expires) - ctx.now().getTime() / 1000);
  if (seconds <= 0 || !signer.isSigned(signedText(path, Number(expires)), signature)) return null;
  return {
    documentId: Number(documentId),
    page: Number(page),
    hash,
    key: `blob/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}/${part}`,
    seconds,
  };
}
