import type { CsvExport } from '#modules/audit/csv-export-route.ts';
import type { attachmentApi } from './manage-attachments.contract.ts';

export const attachmentExport: CsvExport<typeof attachmentApi.list> = {
  name: '附件',
  access: 'permission:AttachmentAPI/ListAttachment',
  columns: [
    ['ID', 'id'],
    ['类型', 'type_name'],
    ['名称', 'name'],
    ['是否合法', ({ enable }) => (enable ? '合法' : '非法')],
    ['使用者 ID', ({ type_id }) => type_id || ''],
    ['上传者 ID', 'user_id'],
    ['上传者', 'username'],
    ['IP', 'ip'],
    ['大小（字节）', 'size'],
    ['宽', 'width'],
    ['高', 'height'],
    ['扩展', 'ext'],
    ['HASH', 'hash'],
    ['存储路径', 'path'],
    ['备注', 'description'],
    ['上传时间', 'created_at'],
  ],
};
