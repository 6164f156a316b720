import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, id, time } from '#platform/contract/shapes.ts';

/** How the text of a document relates to that of another one. */
const copyKindNames = {
  identical: '文件相同',
  equal: '几乎相同',
  similar: '很像',
  contained: '包含于',
  contains: '包含',
} as const;
export type CopyKind = keyof typeof copyKindNames;

/** Whether a copy of this kind adds nothing to its original. */
export const isRedundant = (kind: CopyKind): boolean => ['identical', 'equal', 'contained'].includes(kind);

/** The share of two sketches as a percentage. Texts are not the same as long as it is below 1. */
export const toPercent = (share: number): number => (share < 1 ? Math.min(99, Math.round(share * 100)) : 100);

/** How similar two documents are, for example 几乎相同 94%. */
export const describeSimilarity = ({ kind, share }: { kind: CopyKind; share: number }): string =>
  kind === 'identical' ? copyKindNames.identical : `${copyKindNames[kind]} ${share}%`;

const similarity = {
  kind: z.enum(['identical', 'equal', 'similar', 'contained', 'contains']),
  /** Percent of the text that is the same. */
  share: count,
};
const nearCopy = z.object({
  id: count,
  uuid: z.string(),
  title: z.string(),
  username: z.string(),
  ...similarity,
  created_at: time,
});
export type NearCopyOfDocument = z.infer<typeof nearCopy>;

const MAX_DOCUMENTS = 100;
/** The upload page asks for the others when these are compared. */
export const MAX_COMPARED_UPLOADS = 20;

const uploadComparison = z.object({
  id: count,
  /** False while the file is converted. */
  is_final: z.boolean(),
  /** Why the file cannot be converted. */
  reason: z.string(),
  copy: z.array(nearCopy),
  /** Similar documents that the caller may not see. */
  hidden_count: count,
  /** Other files of the caller without a document that are similar. */
  upload: z.array(z.object({ id: count, ...similarity })),
});
export type UploadComparison = z.infer<typeof uploadComparison>;

export const nearCopyApi = {
  list: endpoint({
    method: 'GET',
    path: '/document/near-copies',
    access: 'user',
    summary: '与这些文档内容几乎相同、很像或互相包含的文档；只给上传者和文档管理员，其他文档的为空',
    input: z.object({ id: z.array(id).check(z.minLength(1), z.maxLength(MAX_DOCUMENTS, `最多 ${MAX_DOCUMENTS} 个`)) }),
    output: z.object({ document: z.array(z.object({ id: count, copy: z.array(nearCopy) })) }),
  }),
  listOfUploads: endpoint({
    method: 'GET',
    path: '/upload/near-copies',
    access: 'user',
    summary: '与自己上传后还没有创建文档的文件内容相近的文档和其他这样的文件；看不到的文档只计数',
    input: z.object({
      id: z.array(id).check(z.minLength(1), z.maxLength(MAX_COMPARED_UPLOADS, `最多 ${MAX_COMPARED_UPLOADS} 个`)),
    }),
    output: z.object({ upload: z.array(uploadComparison) }),
  }),
  merge: endpoint({
    method: 'POST',
    path: '/document/merge',
    access: 'permission:DocumentAPI/DeleteDocument',
    summary: '把一份文档合并到另一份：收藏、评论和已购买的用户转过去，原地址转到那里，文档进入回收站',
    input: z.object({ id, into: id }),
    output: emptyObject,
  }),
};

export const nearCopyErrors = defineErrors('nearCopy', {
  sameDocument: [400, '不能把文档合并到它自己'],
  missing: [404, '文档不存在'],
});
