import { DownloadOutlined } from '@ant-design/icons';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useFailureMessage } from './failure-message.ts';
import type { ListState } from './list-state.ts';

/** Long enough for every browser to have begun the download. */
const KEEP_MS = 60_000;

function saveFile({ name, content }: { name: string; content: Blob }): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEEP_MS);
}

/** The rows the filters leave, all pages of them, as a file for spreadsheets. */
export function ExportButton({ take }: { take: NonNullable<ListState['takeFile']> }) {
  const showFailure = useFailureMessage();
  const save = useMutation({
    mutationFn: take,
    onSuccess: saveFile,
    onError: (error) => showFailure(error, '导出失败'),
  });
  return (
    <Button icon={<DownloadOutlined aria-hidden />} loading={save.isPending} onClick={() => save.mutate()}>
      导出 CSV
    </Button>
  );
}
