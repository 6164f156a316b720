import { useState } from 'react';
import { RecordList } from '#platform/web/admin/record-list.tsx';
import { enabledColumn, idColumn } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { type Synonym, searchAdminApi } from '../../search-admin.contract.ts';
import { SynonymForm } from './synonym-form.tsx';

export function SynonymTable() {
  const { list, result, data } = useAdminList(searchAdminApi.synonyms);
  const [editedSynonym, setEditedSynonym] = useState<Partial<Synonym> | null>(null);
  return (
    <>
      <RecordList<Synonym>
        noun="同义词"
        measure="组"
        nameOf={({ words }) => words.join('、')}
        result={result}
        rows={data?.synonym}
        list={list}
        emptyText="还没有同义词"
        create={searchAdminApi.createSynonym}
        update={searchAdminApi.updateSynonym}
        remove={searchAdminApi.removeSynonyms}
        invalidates={searchAdminApi.synonyms}
        onAdd={() => setEditedSynonym({})}
        onEdit={setEditedSynonym}
        columns={[
          idColumn,
          enabledColumn,
          {
            title: '意思相同的词',
            dataIndex: 'words',
            render: (words: string[]) => words.join('、'),
          },
        ]}
      />
      <SynonymForm record={editedSynonym} onClose={() => setEditedSynonym(null)} />
    </>
  );
}
