import { useQuery } from '@tanstack/react-query';
import { Form, Input, TreeSelect } from 'antd';
import { useMemo } from 'react';
import { imageUploadApi } from '#modules/attachment/attachment.contract.ts';
import { EnableField, SortField } from '#platform/web/admin/common-fields.tsx';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { ImageField } from '#platform/web/admin/image-field.tsx';
import { useSaving } from '#platform/web/admin/use-change.ts';
import { query } from '#platform/web/api.ts';
import { type Category, categoryApi } from '../../category.contract.ts';
import { toChoices, toNodes } from './category-nodes.ts';

/** A category to change, or the parent of new ones. */
export type Editing = { category: Category; parentId?: never } | { category?: never; parentId: number };

type Values = Pick<Category, 'title' | 'parent_id' | 'cover' | 'icon' | 'description' | 'sort' | 'enable'>;

export function CategoryForm(props: { editing: Editing | null; onClose: () => void }) {
  const { editing, onClose } = props;
  const { data } = useQuery({ ...query(categoryApi.list, {}), enabled: editing !== null });
  const category = editing?.category;
  const choices = useMemo(
    () => [{ value: 0, title: '顶级分类', children: [] }, ...toChoices(toNodes(data?.category ?? []), category?.id)],
    [data, category],
  );
  const values = useMemo<Values>(
    () => ({
      title: '',
      cover: '',
      icon: '',
      description: '',
      sort: 0,
      enable: true,
      ...category,
      parent_id: category?.parent_id ?? editing?.parentId ?? 0,
    }),
    [category, editing],
  );
  const { create, update, saving } = useSaving(categoryApi, onClose, [categoryApi.list]);

  return (
    <FormDrawer<Values>
      title={category ? '编辑分类' : '新增分类'}
      open={editing !== null}
      values={values}
      saving={saving}
      onClose={onClose}
      onSubmit={(sent) => (category ? update({ ...sent, id: category.id }) : create(sent))}
    >
      <Form.Item name="parent_id" label="上级分类">
        <TreeSelect treeData={choices} treeDefaultExpandAll showSearch treeNodeFilterProp="title" />
      </Form.Item>
      <Form.Item
        name="title"
        label="名称"
        extra={category ? undefined : '一行一个，同级中重名的会跳过'}
        rules={[{ required: true, whitespace: true, message: '请输入名称' }]}
      >
        {category ? <Input maxLength={64} showCount /> : <Input.TextArea rows={5} />}
      </Form.Item>
      <SortField />
      <EnableField extra="停用后，下级分类对访客同样不可见" />
      {category && (
        <>
          <Form.Item name="cover" label="封面">
            <ImageField endpoint={imageUploadApi.uploadCategory} label="分类封面" />
          </Form.Item>
          <Form.Item name="icon" label="图标">
            <ImageField endpoint={imageUploadApi.uploadCategory} label="分类图标" />
          </Form.Item>
        </>
      )}
      <Form.Item name="description" label="描述">
        <Input.TextArea rows={3} maxLength={2000} />
      </Form.Item>
    </FormDrawer>
  );
}
