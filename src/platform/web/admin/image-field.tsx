import { DeleteOutlined, UploadOutlined } from '@ant-design/icons';
import { Button, Space } from 'antd';
import { useRef, useState } from 'react';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { uploadFile } from '../api.ts';
import { useMessages } from '../use-action.ts';
import { ActionButton } from './permission.tsx';

type UploadOutput = { data: { path: string } };
type Props = {
  endpoint: Endpoint;
  /** Alternative text of the image. */
  label: string;
  id?: string;
  value?: string;
  onChange?: (path: string) => void;
};

/** Image that is uploaded when selected; the form value is its path. */
export function ImageField({ endpoint, label, id, value, onChange }: Props) {
  const { failure: showFailure } = useMessages();
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);

  const uploadImage = async (file: File) => {
    setBusy(true);
    try {
      const { data } = (await uploadFile(endpoint, file)) as UploadOutput;
      onChange?.(data.path);
    } catch (error) {
      showFailure(error, '上传失败');
    } finally {
      setBusy(false);
    }
  };

  return (
    <Space align="start">
      {value ? (
        <img src={value} alt={label} className="admin-image" />
      ) : (
        <span className="admin-image admin-image-empty">暂无图片</span>
      )}
      <Space orientation="vertical">
        <ActionButton
          calls={[endpoint]}
          id={id}
          icon={<UploadOutlined aria-hidden />}
          loading={busy}
          onClick={() => input.current?.click()}
        >
          {value ? '更换' : '上传'}
        </ActionButton>
        {value && (
          <Button icon={<DeleteOutlined aria-hidden />} onClick={() => onChange?.('')}>
            移除
          </Button>
        )}
      </Space>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*"
        aria-label={`上传${label}`}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) uploadImage(file);
        }}
      />
    </Space>
  );
}
