import { useState } from 'react';
import { RecordList } from '#platform/web/admin/record-list.tsx';
import {
  enabledColumn,
  enableFilter,
  idColumn,
  sortColumn,
  textCell,
  toBooleans,
} from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { type FriendLink, friendLinkApi } from '../../friend-link.contract.ts';
import { FriendLinkForm } from './friend-link-form.tsx';

export function FriendLinkScreen() {
  const { list, result, data } = useAdminList(friendLinkApi.list, ({ enable }) => ({
    enable: toBooleans(enable),
  }));
  const [editedLink, setEditedLink] = useState<Partial<FriendLink> | null>(null);
  return (
    <>
      <RecordList<FriendLink>
        noun="友链"
        measure="条"
        nameOf={({ title }) => title}
        result={result}
        rows={data?.friendlink}
        list={list}
        filters={[enableFilter]}
        emptyText="还没有友情链接"
        create={friendLinkApi.create}
        update={friendLinkApi.update}
        remove={friendLinkApi.remove}
        invalidates={friendLinkApi.list}
        onAdd={() => setEditedLink({})}
        onEdit={setEditedLink}
        columns={[
          idColumn,
          enabledColumn,
          { title: '名称', dataIndex: 'title', sorter: true },
          {
            title: '链接',
            dataIndex: 'link',
            sorter: true,
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
      <FriendLinkForm record={editedLink} onClose={() => setEditedLink(null)} />
    </>
  );
}
