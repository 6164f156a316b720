import { Form, Input, Skeleton } from 'antd';
import { useEffect, useMemo } from 'react';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { useRecordForm } from '#platform/web/admin/use-record-form.ts';
import { endpointQuery, isSessionEnd } from '#platform/web/api.ts';
import { useMessages } from '#platform/web/use-action.ts';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { articleApi } from '../../article.contract.ts';
import { RichTextField } from './rich-text-field.tsx';

const emptyValues = {
  title: '',
  identifier: '',
  author: '',
  keywords: '',
  description: '',
  content: '',
};

const identifierRules = [
  { required: true, message: '请输入文章标识，建议为字母和数字组合' },
  { pattern: /^(?!\d+$)[a-z0-9][a-z0-9_-]*$/i, message: '标识由字母、数字、- 和 _ 组成，不能只有数字' },
];

/** `id` 0 creates a new article. */
export function ArticleForm({ id, onClose }: { id: number; onClose: () => void }) {
  const { failure: showFailure } = useMessages();
  const { data, error } = useQueryWithMinimumLoading({
    ...endpointQuery(articleApi.get, { id }),
    enabled: id > 0,
    // No refetch while the article is being edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(() => {
    if (!error) return;
    showFailure(error, '加载失败');
    if (!isSessionEnd(error)) onClose();
  }, [error, showFailure, onClose]);
  const record = useMemo(() => (id > 0 ? { ...data, id } : {}), [id, data]);
  const { create, update, list } = articleApi;
  const form = useRecordForm({
    create,
    update,
    invalidates: [list],
    noun: '单页',
    record,
    newValues: emptyValues,
    createOnly: ['identifier'],
    onClose,
  });

  return (
    <FormDrawer {...form} width="min(960px, 100vw)">
      <Form.Item name="title" label="标题" rules={[{ required: true, whitespace: true, message: '请输入文章标题' }]}>
        <Input maxLength={255} />
      </Form.Item>
      <Form.Item
        name="identifier"
        label="标识"
        extra={id > 0 ? '标识用在网址里，不可修改' : '用在网址里，例如 about'}
        rules={identifierRules}
      >
        <Input maxLength={64} disabled={id > 0} />
      </Form.Item>
      <Form.Item name="author" label="作者">
        <Input maxLength={64} />
      </Form.Item>
      <Form.Item name="keywords" label="关键字" extra="用逗号分隔">
        <Input maxLength={255} />
      </Form.Item>
      <Form.Item name="description" label="摘要">
        <Input.TextArea rows={2} maxLength={1024} showCount />
      </Form.Item>
      <Form.Item name="content" label="内容">
        {id > 0 && !data ? <Skeleton active /> : <RichTextField />}
      </Form.Item>
    </FormDrawer>
  );
}
