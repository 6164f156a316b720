import { DownOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Dropdown, Space, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { TimeCell } from '#platform/web/admin/cells.tsx';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { useListState } from '#platform/web/admin/list-state.ts';
import { useChange, useConfirm } from '#platform/web/admin/use-change.ts';
import { query } from '#platform/web/api.ts';
import {
  type CommentItem,
  type CommentStatus,
  commentApi,
  commentStatuses,
} from '../../comment.contract.ts';
import { CommentForm } from './comment-form.tsx';
import { RefuseForm } from './refuse-form.tsx';

const colors: Record<CommentStatus, string> = { 0: 'warning', 1: 'success', 2: 'error' };
const decisions = [
  { key: '1', label: '审核通过' },
  { key: '2', label: '审核拒绝' },
  { key: '0', label: '变为待审' },
];
const reread = [commentApi.list];

export function CommentScreen() {
  const list = useListState();
  const { filters } = list;
  const { data, isFetching, error, refetch } = useQuery(
    query(commentApi.list, {
      ...{ page: list.page, size: list.size, order: list.order ?? 'id desc' },
      wd: filters.wd?.[0],
      status: filters.status?.map(Number),
      document_id: filters.document_id?.[0] ? Number(filters.document_id[0]) : undefined,
      user_id: filters.user_id?.[0] ? Number(filters.user_id[0]) : undefined,
      with_document_title: true,
    }),
  );
  const [editing, setEditing] = useState<CommentItem | null>(null);
  const [refusing, setRefusing] = useState<number[] | null>(null);
  const [selected, setSelected] = useState<number[]>([]);
  const onDone = () => setSelected([]);
  const confirm = useConfirm();
  const check = useChange(commentApi.check, { success: '审批成功', onDone }, reread);
  const remove = useChange(commentApi.remove, { success: '删除成功', onDone }, reread);
  const decide = (id: number[], status: number) =>
    status === 2 ? setRefusing(id) : check.mutate({ id, status: status as 0 | 1 });
  const askRemove = (id: number[], what: string) =>
    confirm(`您确定要删除${what}吗？删除后不可恢复。`, () => remove.mutateAsync({ id }));
  const isNothing = selected.length === 0;

  return (
    <>
      <FilterBar
        list={list}
        filters={[
          {
            name: 'status',
            label: '状态',
            multiple: true,
            options: Object.entries(commentStatuses).map(([value, label]) => ({ value, label })),
          },
        ]}
        more={<Narrowed list={list} />}
      >
        <Dropdown
          disabled={isNothing}
          trigger={['click']}
          menu={{ items: decisions, onClick: ({ key }) => decide(selected, Number(key)) }}
        >
          <Button>
            批量审批
            <DownOutlined aria-hidden />
          </Button>
        </Dropdown>
        <Button
          danger
          disabled={isNothing}
          onClick={() => askRemove(selected, `选中的 ${selected.length} 条评论`)}
        >
          批量删除
        </Button>
      </FilterBar>
      <DataTable<CommentItem>
        rows={data?.comment}
        total={data?.total}
        loading={isFetching}
        error={error}
        onRetry={refetch}
        list={list}
        selected={selected}
        onSelect={setSelected}
        emptyText="没有符合条件的评论"
        columns={[
          { title: 'ID', dataIndex: 'id', key: 'id', width: 72, sorter: true },
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
              <a
                className="admin-clip"
                href={`/document/${document_id}?comment=${id}`}
                target="_blank"
                rel="noreferrer"
              >
                {title}
              </a>
            ),
          },
          {
            title: '评论内容',
            dataIndex: 'content',
            render: (content: string, { parent_id }) => (
              <span className="admin-prose">
                {parent_id > 0 ? <Tag>回复</Tag> : null}
                {content}
              </span>
            ),
          },
          {
            title: '评论人',
            key: 'user_id',
            render: (_, { user }) => (
              <a href={`/user/${user.id}`} target="_blank" rel="noreferrer">
                {user.username}
              </a>
            ),
          },
          {
            title: '时间',
            dataIndex: 'created_at',
            key: 'created_at',
            sorter: true,
            render: (at: string) => <TimeCell at={at} />,
          },
          {
            title: '操作',
            key: 'actions',
            fixed: 'right',
            width: 190,
            render: (_, row) => (
              <Space>
                <Button
                  type="link"
                  size="small"
                  onClick={() => decide([row.id], row.status === 1 ? 2 : 1)}
                >
                  {row.status === 1 ? '拒绝' : '通过'}
                </Button>
                <Button type="link" size="small" onClick={() => setEditing(row)}>
                  编辑
                </Button>
                <Button
                  type="link"
                  size="small"
                  danger
                  onClick={() => askRemove([row.id], `${row.user.username} 的评论`)}
                >
                  删除
                </Button>
              </Space>
            ),
          },
        ]}
      />
      <CommentForm editing={editing} onClose={() => setEditing(null)} />
      {refusing ? (
        <RefuseForm
          ids={refusing}
          onClose={() => setRefusing(null)}
          onDone={() => {
            setRefusing(null);
            onDone();
          }}
        />
      ) : null}
    </>
  );
}

/** Whose or of which document the list is, and the way back to all. */
function Narrowed({ list }: { list: ReturnType<typeof useListState> }) {
  const { document_id, user_id, ...rest } = list.filters;
  if (!document_id && !user_id) return null;
  return (
    <Tag closable onClose={() => list.change({ filters: rest })}>
      {document_id ? `文档 ${document_id[0]}` : `用户 ${user_id?.[0]}`}
    </Tag>
  );
}
