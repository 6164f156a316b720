import { useQuery } from '@tanstack/react-query';
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
import { type FriendLink, friendLinkApi } from '../../friend-link.contract.ts';
import { FriendLinkForm } from './friend-link-form.tsx';

export function FriendLinkScreen() {
  const list = useListState();
  const result = useQuery(
    query(friendLinkApi.list, {
      page: list.page,
      size: list.size,
      wd: list.filters.wd?.[0],
      enable: asBooleans(list.filters.enable),
    }),
  );
  const [editing, setEditing] = useState<Partial<FriendLink> | null>(null);
  return (
    <>
      <RecordList<FriendLink>
        noun="友链"
        measure="条"
        nameOf={({ title }) => title}
        result={result}
        rows={result.data?.friendlink}
        total={result.data?.total}
        list={list}
        filters={[enableFilter]}
        emptyText="还没有友情链接"
        remove={friendLinkApi.remove}
        reread={friendLinkApi.list}
        onAdd={() => setEditing({})}
        onEdit={setEditing}
        columns={[
          idColumn,
          enableColumn,
          { title: '名称', dataIndex: 'title' },
          {
            title: '链接',
            dataIndex: 'link',
            render: (link) => (
              <a href={link} target="_blank" rel="noopener noreferrer">
                {link}
              </a>
            ),
          },
          sortColumn,
          { title: '描述', dataIndex: 'description', render: textCell },
        ]}
      />
      <FriendLinkForm editing={editing} onClose={() => setEditing(null)} />
    </>
  );
}
