import { Form, Input, Select } from 'antd';
import { imageUploadApi } from '#modules/attachment/attachment.contract.ts';
import type { InputOf } from '#platform/contract/endpoint.ts';
import { FormDrawer } from '#platform/web/admin/form-drawer.tsx';
import { ImageField } from '#platform/web/admin/image-field.tsx';
import { EnableField, SortField } from '#platform/web/admin/sort-and-enable-fields.tsx';
import { useRecordForm } from '#platform/web/admin/use-record-form.ts';
import { type Banner, bannerApi, bannerTypes } from '../../banner.contract.ts';

type Values = Required<InputOf<typeof bannerApi.create>>;
const newBanner: Values = { title: '', path: '', url: '', type: 0, sort: 0, enable: true, description: '' };
const typeOptions = Object.entries(bannerTypes).map(([value, label]) => ({
  value: Number(value),
  label,
}));

export function BannerForm(props: { record: Partial<Banner> | null; onClose: () => void }) {
  const { create, update, list } = bannerApi;
  const record = props.record as Partial<Values> | null;
  const form = useRecordForm({
    create,
    update,
    invalidates: [list],
    noun: '横幅',
    newValues: newBanner,
    ...props,
    record,
  });
  return (
    <FormDrawer {...form}>
      <Form.Item
        name="path"
        label="图片"
        extra="建议 1200 × 420 像素以上的横图"
        rules={[{ required: true, message: '请上传横幅图片' }]}
      >
        <ImageField endpoint={imageUploadApi.uploadBanner} label="横幅图片" />
      </Form.Item>
      <Form.Item name="title" label="名称">
        <Input maxLength={255} />
      </Form.Item>
      <Form.Item
        name="url"
        label="链接"
        extra="留空则点击不跳转"
        rules={[
          {
            pattern: /^$|^https?:\/\/\S+$|^\/(?![/\\])\S*$/i,
            message: '链接应以 http://、https:// 或 / 开头',
          },
        ]}
      >
        <Input maxLength={255} placeholder="https:// 或 /category/1" />
      </Form.Item>
      <Form.Item name="type" label="类型">
        <Select options={typeOptions} />
      </Form.Item>
      <SortField />
      <EnableField />
      <Form.Item name="description" label="备注">
        <Input.TextArea rows={3} maxLength={255} />
      </Form.Item>
    </FormDrawer>
  );
}
