import { Switch } from 'antd';
import { useMemo, useState } from 'react';
import { asBooleans, enableFilter, idColumn, sortColumn } from '#platform/web/admin/cells.tsx';
import { callsAttribute, useMayCall } from '#platform/web/admin/permission.tsx';
import { RecordList } from '#platform/web/admin/record-list.tsx';
import { useChange } from '#platform/web/admin/use-change.ts';
import { useList } from '#platform/web/admin/use-list.ts';
import { type Category, categoryApi } from '../../category.contract.ts';
import { CategoryForm, type Editing } from './category-form.tsx';
import { type CategoryTableRow, toNodes } from './category-nodes.ts';

export function CategoryScreen() {
  const { list, result, data } = useList(categoryApi.list, ({ enable }) => ({ enable: asBooleans(enable) }), {
    whole: true,
  });
  const rows = data?.category ?? [];
  const nodes = useMemo(() => toNodes(rows), [rows]);
  const [editing, setEditing] = useState<Editing | null>(null);
  const [folded, setFolded] = useState<number[]>([]);
  const toggle = useChange(categoryApi.update, { success: '修改成功' }, [categoryApi.list]);
  const mayUpdate = useMayCall()(categoryApi.update);
  const switchOf = (row: Category) => (
    <Switch
      size="small"
      aria-label={`启用 ${row.title}`}
      checked={row.enable}
      disabled={!mayUpdate}
      {...(mayUpdate && callsAttribute([categoryApi.update]))}
      onChange={(enable) => toggle.mutate({ id: row.id, enable })}
    />
  );

  return (
    <>
      <RecordList<CategoryTableRow>
        noun="分类"
        measure="个"
        nameOf={({ title }) => title}
        result={result}
        rows={nodes}
        list={list}
        whole
        filters={[enableFilter]}
        emptyText="还没有分类"
        create={categoryApi.create}
        update={categoryApi.update}
        remove={categoryApi.remove}
        invalidates={categoryApi.list}
        warning="下级分类会一并删除，含有文档的分类不能删除。"
        onAdd={() => setEditing({ parentId: 0 })}
        onEdit={(category) => setEditing({ category })}
        moreActions={({ id }) => [
          {
            label: '加下级',
            calls: [categoryApi.create],
            onClick: () => setEditing({ parentId: id }),
          },
        ]}
        expandable={{
          // Open unless folded by hand, new parents included.
          expandedRowKeys: rows.map(({ id }) => id).filter((id) => !folded.includes(id)),
          onExpand: (open, { id }) => setFolded(open ? folded.filter((each) => each !== id) : [...folded, id]),
        }}
        columns={[
          { title: '名称', dataIndex: 'title', width: 220, sorter: true },
          idColumn,
          { title: '是否启用', dataIndex: 'enable', width: 96, render: (_, row) => switchOf(row) },
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
      <CategoryForm editing={editing} onClose={() => setEditing(null)} />
    </>
  );
}
