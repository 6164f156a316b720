import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, emptyObject, ids, listInput, listResponse, time } from '#platform/contract/shapes.ts';
import { documentRow } from './document.contract.ts';
import { listFilters } from './list-filters.contract.ts';

const deletedDocument = z.extend(documentRow, {
  deleted_at: time,
  /** 0 if the account no longer exists or the system deleted the document. */
  deleted_user_id: count,
  deleted_username: z.string(),
});
export type DeletedDocument = z.infer<typeof deletedDocument>;

export const recycleApi = {
  list: endpoint({
    method: 'GET',
    path: '/document/recycle',
    access: 'user',
    summary: '回收站：有权限者为全部，其他人为自己的文档；最近删除的在前',
    input: z.object({ ...listInput, ...listFilters }),
    output: listResponse('document', deletedDocument),
  }),
  restore: endpoint({
    method: 'PUT',
    path: '/document/recycle',
    access: 'user',
    accessToOthers: 'permission:RecycleAPI/RecoverRecycleDocument',
    summary: '恢复文档：有权限者不限，其他人为保留期限内自己删除的；全部恢复，或一个也不',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
  erase: endpoint({
    method: 'DELETE',
    path: '/document/recycle',
    access: 'permission:RecycleAPI/DeleteRecycleDocument',
    summary: '从回收站彻底删除',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
  clear: endpoint({
    method: 'DELETE',
    path: '/document/recycle/all',
    access: 'permission:RecycleAPI/ClearRecycleDocument',
    summary: '清空回收站',
    input: emptyObject,
    output: emptyObject,
  }),
};
