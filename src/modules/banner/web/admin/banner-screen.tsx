import { useQuery } from '@tanstack/react-query';
import { Tag } from 'antd';
import { useState } from 'react';
import {
  asBooleans,
  enableColumn,
  enableFilter,
  idColumn,
  sortColumn,
  textCell,
} from '#platform/web/admin/cells.tsx';
import { useListState } from '#platform/web/admin/list-state.ts';
import { RecordList } from '#platform/web/admin/record-list.tsx';
import { query } from '#platform/web/api.ts';
import { type Banner, bannerApi, bannerTypes } from '../../banner.contract.ts';
import { BannerForm } from './banner-form.tsx';

const typeOptions = Object.entries(bannerTypes).map(([value, label]) => ({ value, label }));
const typeLabel = (type: number) => bannerTypes[type as keyof typeof bannerTypes] ?? '-';

export function BannerScreen() {
  const list = useListState();
  const result = useQuery(
    query(bannerApi.list, {
      page: list.page,
      size: list.size,
      wd: list.filters.wd?.[0],
      enable: asBooleans(list.filters.enable),
      type: list.filters.type?.map((type) => Number(type) as 0 | 1 | 2),
    }),
  );
  const [editing, setEditing] = useState<Partial<Banner> | null>(null);
  return (
    <>
      <RecordList<Banner>
        noun="横幅"
        measure="张"
        nameOf={({ title, id }) => title || id}
        result={result}
        rows={result.data?.banner}
        total={result.data?.total}
        list={list}
        filters={[{ name: 'type', label: '类型', options: typeOptions }, enableFilter]}
        emptyText="还没有横幅，新增一张，首页就会轮播它"
        remove={bannerApi.remove}
        reread={bannerApi.list}
        onAdd={() => setEditing({})}
        onEdit={setEditing}
        columns={[
          idColumn,
          {
            title: '图片',
            dataIndex: 'path',
            width: 148,
            render: (path, { title }) => (
              <img src={path} alt={title || '横幅图片'} className="admin-image" loading="lazy" />
            ),
          },
          { title: '名称', dataIndex: 'title', render: textCell },
          {
            title: '类型',
            dataIndex: 'type',
            width: 88,
            render: (type) => <Tag>{typeLabel(type)}</Tag>,
          },
          enableColumn,
          { title: '链接', dataIndex: 'url', render: textCell },
          sortColumn,
          { title: '备注', dataIndex: 'description', render: textCell },
        ]}
      />
      <BannerForm editing={editing} onClose={() => setEditing(null)} />
    </>
  );
}
