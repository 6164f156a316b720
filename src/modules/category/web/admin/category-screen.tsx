import { Switch } from 'antd';
import { useMemo, useState } from 'react';
import { callsAttribute, useMayCall } from '#platform/web/admin/permission.tsx';
import { RecordList } from '#platform/web/admin/record-list.tsx';
import { enableFilter, idColumn, sortColumn, toBooleans } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { useAction } from '#platform/web/use-action.ts';
import { type Category, categoryApi } from '../../category.contract.ts';
import { CategoryForm } from './category-form.tsx';
import { type CategoryTableRow, toCategoryTree } from './category-options.ts';

export function CategoryScreen() {
  const { list, result, data } = useAdminList(categoryApi.list, ({ enable }) => ({ enable: toBooleans(enable) }), {
    unpaged: true,
  });
  const rows = data?.category ?? [];
  const nodes = useMemo(() => toCategoryTree(rows), [rows]);
  const [editedCategory, setEditedCategory] = useState<Partial<Category> | null>(null);
  const [collapsedIds, setCollapsedIds] = useState<number[]>([]);

  return (
    <>
      <RecordList<CategoryTableRow>
        noun="分类"
        measure="个"
        nameOf={({ title }) => title}
        result={result}
        rows={data && nodes}
        list={list}
        unpaged
        filters={[enableFilter]}
        emptyText="还没有分类"
        create={categoryApi.create}
        update={categoryApi.update}
        remove={categoryApi.remove}
        invalidates={categoryApi.list}
        warning="下级分类会一并删除，含有文档的分类不能删除。"
        onAdd={() => setEditedCategory({})}
        onEdit={setEditedCategory}
        moreActions={({ id }) => [
          {
            label: '加下级',
            calls: [categoryApi.create],
            onClick: () => setEditedCategory({ parent_id: id }),
          },
        ]}
        expandable={{
          // All rows are expanded unless the user collapsed them, also new parents.
          expandedRowKeys: rows.map(({ id }) => id).filter((id) => !collapsedIds.includes(id)),
          onExpand: (open, { id }) =>
            setCollapsedIds(open ? collapsedIds.filter((each) => each !== id) : [...collapsedIds, id]),
        }}
        columns={[
          { title: '名称', dataIndex: 'title', width: 220, sorter: true },
          idColumn,
          { title: '是否启用', dataIndex: 'enable', width: 96, render: (_, row) => <EnableSwitch row={row} /> },
          sortColumn,
          {
            title: '封面',
            dataIndex: 'cover',
            width: 96,
            render: (cover, { title }) =>
              cover ? <img src={cover} alt={`${title}的封面`} className="admin-thumb" /> : '-',
          },
          { title: '文档数', dataIndex: 'doc_count', width: 96, sorter: true },
        ]}
      />
      <CategoryForm record={editedCategory} onClose={() => setEditedCategory(null)} />
    </>
  );
}

function EnableSwitch({ row }: { row: Category }) {
  const update = useAction(categoryApi.update, { success: '修改成功', invalidates: [categoryApi.list] });
  const mayUpdate = useMayCall()(categoryApi.update);
  return (
    <Switch
      size="small"
      aria-label={`启用 ${row.title}`}
      checked={row.enable}
      disabled={!mayUpdate}
      {...(mayUpdate && callsAttribute([categoryApi.update]))}
      onChange={(enable) => update.run({ id: row.id, enable })}
    />
  );
}
