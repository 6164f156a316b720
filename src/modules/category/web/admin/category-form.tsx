import { useQuery } from '@tanstack/react-query';
import { Form, Input, Select, Switch, TreeSelect } from 'antd';
import { useMemo } from 'react';
import { imageUploadApi } from '#modules/attachment/attachment.contract.ts';
import { watermarkOptions } from '#modules/settings/web/admin/watermark-options.ts';
import type { InputOf } from '#platform/contract/endpoint.ts';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { ImageField } from '#platform/web/admin/image-field.tsx';
import { EnableField, SortField } from '#platform/web/admin/sort-and-enable-fields.tsx';
import { useRecordForm } from '#platform/web/admin/use-record-form.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { type Category, categoryApi } from '../../category.contract.ts';
import { toCategoryOptions, toCategoryTree } from './category-options.ts';

const newCategory: InputOf<typeof categoryApi.create> = {
  title: '',
  parent_id: 0,
  cover: '',
  icon: '',
  description: '',
  sort: 0,
  enable: true,
  enable_ocr: true,
  watermark: 'inherit',
};

export function CategoryForm(props: { record: Partial<Category> | null; onClose: () => void }) {
  const { record } = props;
  const { data } = useQuery({ ...endpointQuery(categoryApi.list, {}), enabled: record !== null });
  const isExisting = record?.id !== undefined;
  const parentOptions = useMemo(
    () => [
      { value: 0, title: '顶级分类', children: [] },
      ...toCategoryOptions(toCategoryTree(data?.category ?? []), record?.id),
    ],
    [data, record],
  );
  const { create, update, list } = categoryApi;
  const form = useRecordForm({ create, update, invalidates: [list], noun: '分类', newValues: newCategory, ...props });

  return (
    <FormDrawer {...form}>
      <Form.Item name="parent_id" label="上级分类">
        <TreeSelect treeData={parentOptions} treeDefaultExpandAll showSearch treeNodeFilterProp="title" />
      </Form.Item>
      <Form.Item
        name="title"
        label="名称"
        extra={isExisting ? undefined : '一行一个，同级中重名的会跳过'}
        rules={[{ required: true, whitespace: true, message: '请输入名称' }]}
      >
        {isExisting ? <Input maxLength={64} showCount /> : <Input.TextArea rows={5} />}
      </Form.Item>
      <SortField />
      <EnableField extra="停用后，下级分类对游客同样不可见" />
      <Form.Item
        name="enable_ocr"
        label="识别扫描页的文字"
        valuePropName="checked"
        extra="关闭后，这个分类和下级分类的文档不识别"
      >
        <Switch />
      </Form.Item>
      <Form.Item name="watermark" label="阅读水印" extra="在页面上显示读者的名称和日期">
        <Select options={watermarkOptions} />
      </Form.Item>
      {isExisting && (
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
