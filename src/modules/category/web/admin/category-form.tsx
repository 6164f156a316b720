import { useQuery } from '@tanstack/react-query';
import { Form, Input, TreeSelect } from 'antd';
import { useMemo } from 'react';
import { imageUploadApi } from '#modules/attachment/attachment.contract.ts';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { ImageField } from '#platform/web/admin/image-field.tsx';
import { EnableField, SortField } from '#platform/web/admin/sort-and-enable-fields.tsx';
import { useSaveMutations } from '#platform/web/admin/use-endpoint-mutation.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { type Category, categoryApi } from '../../category.contract.ts';
import { toCategoryOptions, toCategoryTree } from './category-options.ts';

/** The category to edit, or the parent of new categories. */
export type CategoryFormTarget = { category: Category; parentId?: never } | { category?: never; parentId: number };

type Values = Pick<Category, 'title' | 'parent_id' | 'cover' | 'icon' | 'description' | 'sort' | 'enable'>;

export function CategoryForm(props: { editing: CategoryFormTarget | null; onClose: () => void }) {
  const { editing, onClose } = props;
  const { data } = useQuery({ ...endpointQuery(categoryApi.list, {}), enabled: editing !== null });
  const category = editing?.category;
  const parentOptions = useMemo(
    () => [
      { value: 0, title: '顶级分类', children: [] },
      ...toCategoryOptions(toCategoryTree(data?.category ?? []), category?.id),
    ],
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
  const { create, update, saving } = useSaveMutations(categoryApi, onClose, [categoryApi.list]);

  return (
    <FormDrawer<Values>
      title={category ? '编辑分类' : '新增分类'}
      open={editing !== null}
      values={values}
      saving={saving}
      onClose={onClose}
      onSubmit={(input) => (category ? update({ ...input, id: category.id }) : create(input))}
    >
      <Form.Item name="parent_id" label="上级分类">
        <TreeSelect treeData={parentOptions} treeDefaultExpandAll showSearch treeNodeFilterProp="title" />
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
