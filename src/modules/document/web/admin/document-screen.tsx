import type { TableProps } from 'antd';
import { type ComponentType, useState } from 'react';
import { DataTable } from '#platform/web/admin/data-table.tsx';
import { FilterBar } from '#platform/web/admin/filter-bar.tsx';
import { emptyListText } from '#platform/web/admin/list-state.ts';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { actionsColumn } from '#platform/web/admin/row-actions.tsx';
import { idColumn, selectOptionsOf, toBooleans } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { type Document, documentApi, documentStatuses, documentTypes } from '../../document.contract.ts';
import { manageDocumentApi } from '../../manage.contract.ts';
import { useRowsWithLiveProgress } from '../use-conversion-progress.ts';
import { CategorizeForm, ReviewForm } from './bulk-forms.tsx';
import { CategoryField } from './category-field.tsx';
import { DocumentBulkActions } from './document-bulk-actions.tsx';
import { documentColumns, StatusCell, TitleCell, UserCell } from './document-cells.tsx';
import { DocumentForm } from './document-form.tsx';
import { type DocumentTask, useDocumentActions } from './use-document-actions.ts';

const { categorize, recommend, check, reconvert } = manageDocumentApi;
const bulkCalls = [categorize, recommend, check, reconvert, documentApi.remove];

const documentFilters = [
  { name: 'status', label: '状态', multiple: true, options: selectOptionsOf(documentStatuses) },
  { name: 'ext', label: '类型', options: selectOptionsOf(documentTypes) },
  { name: 'is_recommend', label: '推荐', options: selectOptionsOf({ true: '已推荐', false: '未推荐' }) },
  { name: 'has_twins', label: '重复', options: selectOptionsOf({ true: '有几乎相同的', false: '没有几乎相同的' }) },
];
/** Columns that the recycle bin does not show. */
const listColumns: NonNullable<TableProps<Document>['columns']> = [
  { title: '名称', key: 'title', render: (_, row) => <TitleCell row={row} /> },
  { title: '扩展名', dataIndex: 'ext', width: 80 },
  {
    title: '上传者',
    dataIndex: 'username',
    render: (name, { user_id }) => <UserCell id={user_id} name={name} />,
  },
  { title: '状态', key: 'status', render: (_, row) => <StatusCell row={row} /> },
];

/** `NearCopies` shows the documents that are nearly the same as one of the listed documents. */
type Props = { NearCopies: ComponentType<{ document: Document; listedIds: number[] }> };

export function DocumentScreen({ NearCopies }: Props) {
  const { list, result, data } = useAdminList(documentApi.list, (query) => ({
    status: query.status?.map(Number),
    category_id: query.category_id?.map(Number),
    user_id: query.user_id?.map(Number),
    is_recommend: toBooleans(query.is_recommend),
    has_twins: toBooleans(query.has_twins),
    ext: query.ext?.[0],
  }));
  const { filters } = list;
  const rows = useRowsWithLiveProgress(data?.document ?? []);
  const listedIds = rows.map(({ id }) => id);
  const [editedDocument, setEditedDocument] = useState<Document | null>(null);
  const [selectedIds, setSelectedIds] = useState<number[]>([]);
  // Ignores selected rows that are no longer listed.
  const visibleSelectedIds = selectedIds.filter((id) => rows.some((row) => row.id === id));
  const [task, setTask] = useState<DocumentTask | null>(null);
  const onDone = () => {
    setTask(null);
    setSelectedIds([]);
  };
  const actions = useDocumentActions(onDone);

  return (
    <>
      <FilterBar
        list={list}
        filters={documentFilters}
        more={
          <CategoryField
            width={160}
            value={filters.category_id?.[0] ? Number(filters.category_id[0]) : undefined}
            onChange={(id) => list.change({ filters: { ...filters, category_id: id ? [String(id)] : [] } })}
          />
        }
      >
        <DocumentBulkActions ids={visibleSelectedIds} actions={actions} onTask={setTask} />
        <ActionButton type="primary" calls={[documentApi.create]} href="/upload" target="_blank">
          新增文档
        </ActionButton>
      </FilterBar>
      <DataTable<Document>
        rows={data && rows}
        result={result}
        list={list}
        selection={{ selected: visibleSelectedIds, onSelect: setSelectedIds, bulkCalls }}
        emptyText={emptyListText(list, '文档')}
        columns={[
          idColumn,
          ...listColumns,
          {
            title: '相近的文档',
            key: 'near_copies',
            render: (_, row) => <NearCopies document={row} listedIds={listedIds} />,
          },
          ...documentColumns,
          actionsColumn(
            3,
            (row) => [
              { label: '编辑', calls: [documentApi.update], onClick: () => setEditedDocument(row) },
              {
                label: '删除',
                calls: [documentApi.remove],
                danger: true,
                onClick: () => actions.remove([row.id], `文档《${row.title}》`),
              },
            ],
            { nameOf: ({ title }) => title, more: (row) => actions.menuOf(row, setTask) },
          ),
        ]}
      />
      <DocumentForm editing={editedDocument} onClose={() => setEditedDocument(null)} />
      {task?.kind === 'categorize' && <CategorizeForm {...task} onDone={onDone} onClose={() => setTask(null)} />}
      {task?.kind === 'review' && task.decision !== undefined && (
        <ReviewForm {...task} decision={task.decision} onDone={onDone} onClose={() => setTask(null)} />
      )}
    </>
  );
}
