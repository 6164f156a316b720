import { useQuery } from '@tanstack/react-query';
import { Button, Descriptions, Progress, Tag } from 'antd';
import { formatSize } from '#platform/contract/file-size.ts';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { SiteDateTime } from '#platform/web/admin/table-cells.tsx';
import { useConfirm } from '#platform/web/admin/use-confirm.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useAction } from '#platform/web/use-action.ts';
import { searchAdminApi } from '../../search-admin.contract.ts';

/** Polling interval while documents are queued. */
const POLL_INTERVAL_MS = 3_000;

const states = {
  ok: { title: '正常', color: 'success' },
  behind: { title: '更新中', color: 'processing' },
  rebuilding: { title: '重建中', color: 'processing' },
  down: { title: '不可用', color: 'error' },
};
const engines = { postgres: 'PostgreSQL', opensearch: 'OpenSearch' };

export function SearchIndexCard() {
  const { data, error, refetch } = useQuery({
    ...endpointQuery(searchAdminApi.index, {}),
    refetchInterval: ({ state }) => (state.data && state.data.state !== 'ok' ? POLL_INTERVAL_MS : false),
  });
  const confirm = useConfirm();
  const rebuild = useAction(searchAdminApi.reindex, { success: '已开始重建索引', invalidates: [searchAdminApi.index] });
  return (
    <section className="admin-card admin-section" aria-labelledby="search-index">
      <div className="admin-section-head">
        <h2 id="search-index">搜索索引</h2>
        {data ? <Tag color={states[data.state].color}>{states[data.state].title}</Tag> : null}
        <ActionButton
          calls={[searchAdminApi.reindex]}
          loading={rebuild.isPending}
          onClick={() =>
            confirm('您确定要重建搜索索引吗？重建期间照常可以搜索。', () => rebuild.run({}), {
              isDestructive: false,
            })
          }
        >
          重建索引
        </ActionButton>
      </div>
      {error ? (
        <p>
          {`索引状态加载失败：${error.message}`}
          <Button type="link" onClick={() => refetch()}>
            重试
          </Button>
        </p>
      ) : null}
      {data?.message ? <p>{data.message}</p> : null}
      {data?.state === 'rebuilding' ? <Progress percent={data.progress} /> : null}
      {data && data.state !== 'down' ? (
        <Descriptions
          size="small"
          column={{ xs: 1, sm: 2, lg: 3 }}
          items={[
            { key: 'engine', label: '引擎', children: engines[data.engine] },
            { key: 'documents', label: '可搜索的文档', children: data.documents },
            { key: 'pending', label: '等待收录', children: data.pending },
            { key: 'size', label: '索引大小', children: formatSize(data.size) },
            { key: 'text', label: '正文大小', children: formatSize(data.text_size) },
            { key: 'at', label: '最近收录', children: <SiteDateTime at={data.indexed_at ?? ''} /> },
          ]}
        />
      ) : null}
    </section>
  );
}
