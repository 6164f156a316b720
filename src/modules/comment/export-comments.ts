import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import { type CommentStatus, type commentApi, commentStatuses } from './comment.contract.ts';
import { MAX_SEARCH_RESULTS } from './list-comments.ts';

export const commentExport: CsvExport<typeof commentApi.list> = {
  name: '评论',
  access: 'permission:CommentAPI/ListComment',
  maxRows: ({ wd }) => (wd ? MAX_SEARCH_RESULTS : undefined),
  fixedInput: { with_document_title: true },
  columns: [
    ['ID', 'id'],
    ['状态', ({ status }) => commentStatuses[status as CommentStatus]],
    ['拒绝原因', 'reject_reason'],
    ['文档 ID', 'document_id'],
    ['文档', 'document_title'],
    ['回复的评论', ({ parent_id }) => parent_id || ''],
    ['评论内容', 'content'],
    ['评论人 ID', 'user_id'],
    ['评论人', ({ user }) => user.username],
    ['时间', 'created_at'],
  ],
};
