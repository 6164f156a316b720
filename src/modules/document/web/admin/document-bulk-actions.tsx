import { DownOutlined } from '@ant-design/icons';
import { Dropdown } from 'antd';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { documentApi } from '../../document.contract.ts';
import { manageDocumentApi, type RecommendType, recommendTypes, reviewDecisions } from '../../manage.contract.ts';
import type { DocumentTask, useDocumentActions } from './use-document-actions.ts';

const decisions = ([0, 7, 6, 4, 2] as const).map((key) => ({
  key: String(key),
  label: reviewDecisions[key],
}));
const recommendations = ([1, 2, 0] as const).map((key) => ({
  key: String(key),
  label: recommendTypes[key],
}));

type Props = {
  /** The selected documents. */
  ids: number[];
  actions: ReturnType<typeof useDocumentActions>;
  onTask: (task: DocumentTask) => void;
};

export function DocumentBulkActions({ ids, actions, onTask }: Props) {
  const isSelectionEmpty = ids.length === 0;
  const description = `选中的 ${ids.length} 篇文档`;
  return (
    <>
      <ActionButton
        calls={[manageDocumentApi.categorize]}
        disabled={isSelectionEmpty}
        onClick={() => onTask({ kind: 'categorize', ids, description })}
      >
        批量分类
      </ActionButton>
      <Dropdown
        disabled={isSelectionEmpty}
        trigger={['click']}
        menu={{
          items: recommendations,
          onClick: ({ key }) => actions.recommend(ids, Number(key) as RecommendType, description),
        }}
      >
        <ActionButton calls={[manageDocumentApi.recommend]}>
          批量推荐
          <DownOutlined aria-hidden />
        </ActionButton>
      </Dropdown>
      <Dropdown
        disabled={isSelectionEmpty}
        trigger={['click']}
        menu={{
          items: decisions,
          onClick: ({ key }) => onTask({ kind: 'review', ids, description, decision: Number(key) as 0 }),
        }}
      >
        <ActionButton calls={[manageDocumentApi.check]}>
          批量审批
          <DownOutlined aria-hidden />
        </ActionButton>
      </Dropdown>
      <ActionButton
        calls={[manageDocumentApi.reconvert]}
        onClick={() => actions.reconvert(isSelectionEmpty ? undefined : ids)}
      >
        {isSelectionEmpty ? '失败重转' : '重新转换'}
      </ActionButton>
      <ActionButton
        danger
        calls={[documentApi.remove]}
        disabled={isSelectionEmpty}
        onClick={() => actions.remove(ids, description)}
      >
        批量删除
      </ActionButton>
    </>
  );
}
