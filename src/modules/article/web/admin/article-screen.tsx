import { lazy, Suspense, useState } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { RecordList } from '#platform/web/admin/record-list.tsx';
import { idColumn, textCell } from '#platform/web/admin/table-cells.tsx';
import { useAdminList } from '#platform/web/admin/use-admin-list.ts';
import { type ArticleSummary, articleApi } from '../../article.contract.ts';
import { deletionWarning } from './deletion-warning.ts';

// Loaded on demand: the editor is the largest part of the back-office.
const ArticleForm = lazy(() => import('./article-form.tsx').then((file) => ({ default: file.ArticleForm })));

export function ArticleScreen() {
  const { list, result, data } = useAdminList(articleApi.list);
  const { footer } = useSettings();
  /** Id of the article in the form; 0 for a new article. */
  const [editedId, setEditedId] = useState<number | null>(null);
  return (
    <>
      <RecordList<ArticleSummary>
        noun="单页"
        measure="个"
        nameOf={({ title }) => title}
        result={result}
        rows={data?.article}
        list={list}
        emptyText="还没有单页"
        create={articleApi.create}
        update={articleApi.update}
        remove={articleApi.remove}
        invalidates={articleApi.list}
        warning={(ids) => deletionWarning(footer, data?.article ?? [], ids)}
        onAdd={() => setEditedId(0)}
        onEdit={({ id }) => setEditedId(id)}
        columns={[
          idColumn,
          {
            title: '标题',
            dataIndex: 'title',
            sorter: true,
            render: (title, { identifier }) => (
              <a href={`/article/${identifier}`} target="_blank" rel="noreferrer">
                {title}
              </a>
            ),
          },
          { title: '标识', dataIndex: 'identifier', sorter: true },
          { title: '浏览', dataIndex: 'view_count', width: 88, sorter: true },
          { title: '关键字', dataIndex: 'keywords', render: textCell },
          { title: '摘要', dataIndex: 'description', render: textCell },
        ]}
      />
      {editedId !== null && (
        <Suspense>
          <ArticleForm id={editedId} onClose={() => setEditedId(null)} />
        </Suspense>
      )}
    </>
  );
}
