/** Ids of rows that the calls use; calls delete or change the rows whose names begin with `spare`. */
export type MoredocSite = Record<
  | ('document' | 'spareDocument' | 'binnedDocument' | 'erasedDocument' | 'unusedUpload')
  | ('category' | 'spareCategory' | 'member' | 'spareUser' | 'role' | 'spareRole' | 'permission')
  | ('comment' | 'spareComment' | 'spareFavorite' | 'report' | 'friendLink' | 'article' | 'banner' | 'attachment'),
  number
> & {
  uuid: string;
  hash: string;
  bannerPath: string;
  passwords: { admin: string; member: string };
};

export type MoredocCall = {
  by: 'visitor' | 'member' | 'admin';
  /** Method and URL as the client sends them. */
  call: string;
  body?: Record<string, unknown>;
  /** A file in the field `file` instead of a JSON body. */
  file?: 'image' | 'document';
  /** Fields that the client reads, as paths. */
  reads?: string[];
  status?: number;
};

export const USER_FIELDS = ['id', 'username', 'avatar', 'signature', 'doc_count', 'fans_count'];
export const fieldPaths = (prefix: string, fields: string[]) => fields.map((field) => `${prefix}.${field}`);
export const queryString = (values: Record<string, string | number | (string | number)[]>) =>
  Object.entries(values)
    .flatMap(([key, value]) => [value].flat().map((item) => `${key}=${encodeURIComponent(item)}`))
    .join('&');
/** Lists of the back-office send empty filters too. */
export const ADMIN_PAGE = 'page=1&size=10&wd=';
