import { DownloadOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useMessages } from '../use-action.ts';
import type { ListState } from './list-state.ts';

/** Long enough for every browser to start the download. */
const OBJECT_URL_TTL_MS = 60_000;

function saveFile({ name, content }: { name: string; content: Blob }): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), OBJECT_URL_TTL_MS);
}

/** Downloads all rows that match the filters as CSV. */
export function ExportButton({ download }: { download: NonNullable<ListState['downloadCsv']> }) {
  const { failure: showFailure } = useMessages();
  const save = useMutation({
    mutationFn: download,
    onSuccess: saveFile,
    onError: (error) => showFailure(error, '导出失败'),
  });
  return (
    <Button icon={<DownloadOutlined aria-hidden />} loading={save.isPending} onClick={() => save.mutate()}>
      导出 CSV
    </Button>
  );
}
