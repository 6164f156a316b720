import { DownOutlined } from '@ant-design/icons';
import { Dropdown, type TableProps, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import type { ListState } from '#platform/web/admin/list-state.ts';
import { emptyListText } from '#platform/web/admin/list-state.ts';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { actionsColumn, type RowAction } from '#platform/web/admin/row-actions.tsx';
import { createdColumn, idColumn, NewTabLink, selectOptionsOf } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { useBulkDelete } from '#platform/web/admin/use-bulk-delete.tsx';
import { useConfirm } from '#platform/web/admin/use-confirm.ts';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import { useAction } from '#platform/web/use-action.ts';
import { type CommentItem, type CommentStatus, commentApi, commentStatuses } from '../../comment.contract.ts';
import { ModerateCommentForm } from './moderate-comment-form.tsx';
import { RejectCommentsForm } from './reject-comments-form.tsx';

const colors: Record<CommentStatus, string> = { 0: 'warning', 1: 'success', 2: 'error' };
const decisions = [
  { key: '1', label: '审核通过' },
  { key: '2', label: '审核拒绝' },
  { key: '0', label: '变为待审' },
];
const invalidates = [commentApi.list];

const commentColumns: NonNullable<TableProps<CommentItem>['columns']> = [
  idColumn,
  {
    title: '状态',
    dataIndex: 'status',
    key: 'status',
    render: (status: CommentStatus, { reject_reason }) => (
      <Tooltip title={reject_reason}>
        <Tag color={colors[status]}>{commentStatuses[status]}</Tag>
      </Tooltip>
    ),
  },
  {
    title: '文档',
    dataIndex: 'document_title',
    render: (title: string, { document_id, id }) => (
      <NewTabLink clip to={`/document/${document_id}?comment=${id}`}>
        {title}
      </NewTabLink>
    ),
  },
  {
    title: '评论内容',
    dataIndex: 'content',
    render: (content: string, { parent_id }) => (
      <span className={`admin-prose ${latinTextClass(content)}`}>
        {parent_id > 0 ? <Tag>回复</Tag> : null}
        {content}
      </span>
    ),
  },
  {
    title: '评论人',
    key: 'user_id',
    render: (_, { user }) => (
      <NewTabLink clip to={`/user/${user.id}`}>
        {user.username}
      </NewTabLink>
    ),
  },
  createdColumn('时间'),
];

const bulkDeleteOptions = {
  remove: commentApi.remove,
  invalidates,
  noun: '评论',
  measure: '条',
  otherBulkCalls: [commentApi.check],
};

const toListInput = ({ status, document_id, user_id }: ListState['filters']) => ({
  status: status?.map(Number),
  document_id: document_id?.[0] ? Number(document_id[0]) : undefined,
  user_id: user_id?.[0] ? Number(user_id[0]) : undefined,
});

export function CommentScreen() {
  const { list, result, data } = useAdminList(commentApi.list, toListInput, { order: 'id desc' });
  const [editedComment, setEditedComment] = useState<CommentItem | null>(null);
  const [idsToReject, setIdsToReject] = useState<number[] | null>(null);
  const removal = useBulkDelete(bulkDeleteOptions);
  const { selected, clearSelection: onDone } = removal;
  const check = useAction(commentApi.check, { success: '审批成功', onDone, invalidates });
  const decide = (id: number[], status: number) =>
    status === 2 ? setIdsToReject(id) : check.run({ id, status: status as 0 | 1 });
  const actionsOf = (row: CommentItem): RowAction[] => [
    {
      label: row.status === 1 ? '拒绝' : '通过',
      calls: [commentApi.check],
      onClick: () => decide([row.id], row.status === 1 ? 2 : 1),
    },
    { label: '编辑', calls: [commentApi.update], onClick: () => setEditedComment(row) },
    {
      label: '删除',
      calls: [commentApi.remove],
      danger: true,
      onClick: () => removal.confirmDelete([row.id], `${row.user.username} 的评论`),
    },
  ];

  return (
    <>
      <FilterBar
        list={list}
        filters={[{ name: 'status', label: '状态', multiple: true, options: selectOptionsOf(commentStatuses) }]}
        more={<ActiveScopeTag list={list} />}
      >
        <ReviewSelectedButton selected={selected} onDecide={decide} />
        {removal.bulkDeleteButton}
      </FilterBar>
      <DataTable<CommentItem>
        rows={data?.comment}
        result={result}
        list={list}
        selection={removal.selection}
        emptyText={emptyListText(list, '评论')}
        columns={[...commentColumns, actionsColumn(3, actionsOf, { nameOf: ({ id }) => `评论 ${id}` })]}
      />
      <ModerateCommentForm editing={editedComment} onClose={() => setEditedComment(null)} />
      {idsToReject ? (
        <RejectCommentsForm
          ids={idsToReject}
          onClose={() => setIdsToReject(null)}
          onDone={() => {
            setIdsToReject(null);
            onDone();
          }}
        />
      ) : null}
    </>
  );
}

type ReviewProps = { selected: number[]; onDecide: (ids: number[], status: number) => unknown };

function ReviewSelectedButton({ selected, onDecide }: ReviewProps) {
  const confirm = useConfirm();
  const decide = (status: number) =>
    status === 2
      ? onDecide(selected, status)
      : confirm(
          `选中的 ${selected.length} 条评论将${status === 1 ? '审核通过' : '变为待审'}，确定吗？`,
          async () => onDecide(selected, status),
          { isDestructive: false },
        );
  return (
    <Dropdown
      disabled={selected.length === 0}
      trigger={['click']}
      menu={{ items: decisions, onClick: ({ key }) => decide(Number(key)) }}
    >
      <ActionButton calls={[commentApi.check]}>
        批量审批
        <DownOutlined aria-hidden />
      </ActionButton>
    </Dropdown>
  );
}

/** Shows that the list is limited to a document or user; closing the tag removes the limit. */
function ActiveScopeTag({ list }: { list: ListState }) {
  const { document_id, user_id, ...rest } = list.filters;
  if (!document_id && !user_id) return null;
  return (
    <Tag closable onClose={() => list.change({ filters: rest })}>
      {document_id ? `文档 ${document_id[0]}` : `用户 ${user_id?.[0]}`}
    </Tag>
  );
}
