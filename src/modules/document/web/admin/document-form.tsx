import { Form, Input, Select } from 'antd';
import { useMemo } from 'react';
import { watermarkOptions } from '#modules/settings/web/admin/watermark-options.ts';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { IntegerInput } from '#platform/web/admin/integer-input.tsx';
import { useAction } from '#platform/web/use-action.ts';
import {
  type Document,
  documentApi,
  documentStatuses,
  documentVisibilities,
  MAX_PRICE,
} from '../../document.contract.ts';
import { CategoryField } from './category-field.tsx';

type Values = Pick<
  Document,
  'title' | 'price' | 'visibility' | 'preview' | 'watermark' | 'status' | 'keywords' | 'description'
> & {
  category?: number;
};

const settableStatuses = [0, 4, 6, 7];
const toSelectOptions = (labels: Record<number, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value: Number(value), label }));

/** Conversion statuses cannot be chosen, only kept. */
const statusOptions = (currentStatus: number | undefined) =>
  toSelectOptions(documentStatuses).map((option) => ({
    ...option,
    disabled: !settableStatuses.includes(option.value) && option.value !== currentStatus,
  }));

export function DocumentForm({ editing, onClose }: { editing: Document | null; onClose: () => void }) {
  const update = useAction(documentApi.update, {
    success: '更新成功',
    onDone: onClose,
    invalidates: [documentApi.list],
  });
  const category = editing?.category_id.at(-1);
  const values = useMemo<Partial<Values>>(() => ({ ...editing, category }), [editing, category]);
  const submit = ({ category: selectedCategory, status, ...rest }: Values) =>
    editing &&
    update.run({
      ...rest,
      id: editing.id,
      status: status === editing.status ? undefined : status,
      category_id: selectedCategory && selectedCategory !== category ? [selectedCategory] : undefined,
    });
  return (
    <FormDrawer<Values>
      title="编辑文档"
      open={editing !== null}
      values={values}
      saving={update.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <Form.Item name="title" label="名称" rules={[{ required: true, whitespace: true, message: '请输入文档名称' }]}>
        <Input maxLength={255} showCount />
      </Form.Item>
      <Form.Item name="category" label="分类" rules={[{ required: true, message: '请选择文档分类' }]}>
        <CategoryField />
      </Form.Item>
      <Form.Item name="price" label="价格">
        <IntegerInput min={0} max={MAX_PRICE} />
      </Form.Item>
      <Form.Item
        name="status"
        label="状态"
        extra="“待转换”使文档按文件当前的转换状态显示"
        rules={[{ required: true, message: '请选择文档状态' }]}
      >
        <Select options={statusOptions(editing?.status)} />
      </Form.Item>
      <Form.Item name="visibility" label="可见范围">
        <Select options={toSelectOptions(documentVisibilities)} />
      </Form.Item>
      <Form.Item name="preview" label="可预览页数" extra="0 为按系统设置">
        <IntegerInput min={0} max={1_000_000} />
      </Form.Item>
      <Form.Item name="watermark" label="阅读水印" extra="在页面上显示读者的名称和日期">
        <Select options={watermarkOptions} />
      </Form.Item>
      <Form.Item name="keywords" label="关键字" extra="多个词以逗号分隔">
        <Input maxLength={255} />
      </Form.Item>
      <Form.Item name="description" label="摘要">
        <Input.TextArea rows={4} maxLength={512} showCount />
      </Form.Item>
    </FormDrawer>
  );
}
