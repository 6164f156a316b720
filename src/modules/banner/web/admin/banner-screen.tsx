import { Tag } from 'antd';
import { useState } from 'react';
import { RecordList } from '#platform/web/admin/record-list.tsx';
import {
  enabledColumn,
  enableFilter,
  idColumn,
  selectOptionsOf,
  sortColumn,
  textCell,
  toBooleans,
} from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { type Banner, bannerApi, bannerTypes } from '../../banner.contract.ts';
import { BannerForm } from './banner-form.tsx';

const typeOptions = selectOptionsOf(bannerTypes);
const typeLabel = (type: number) => bannerTypes[type as keyof typeof bannerTypes] ?? '-';

export function BannerScreen() {
  const { list, result, data } = useAdminList(bannerApi.list, ({ enable, type }) => ({
    enable: toBooleans(enable),
    type: type?.map((each) => Number(each) as 0 | 1 | 2),
  }));
  const [editedBanner, setEditedBanner] = useState<Partial<Banner> | null>(null);
  return (
    <>
      <RecordList<Banner>
        noun="横幅"
        measure="张"
        nameOf={({ title, id }) => title || id}
        result={result}
        rows={data?.banner}
        list={list}
        filters={[{ name: 'type', label: '类型', options: typeOptions }, enableFilter]}
        emptyText="还没有横幅，新增一张，首页就会轮播它"
        create={bannerApi.create}
        update={bannerApi.update}
        remove={bannerApi.remove}
        invalidates={bannerApi.list}
        onAdd={() => setEditedBanner({})}
        onEdit={setEditedBanner}
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
          { title: '名称', dataIndex: 'title', sorter: true, render: textCell },
          {
            title: '类型',
            dataIndex: 'type',
            width: 88,
            sorter: true,
            render: (type) => <Tag>{typeLabel(type)}</Tag>,
          },
          enabledColumn,
          { title: '链接', dataIndex: 'url', render: textCell },
          sortColumn,
          { title: '备注', dataIndex: 'description', render: textCell },
        ]}
      />
      <BannerForm record={editedBanner} onClose={() => setEditedBanner(null)} />
    </>
  );
}
