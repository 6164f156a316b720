import { FileUp } from 'lucide-react';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { documentFileApi } from '#modules/document/document-file.contract.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { extensionAliasesOf } from '#platform/contract/extension-aliases.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { errorMessageOf } from '#platform/web/use-form.ts';
import { sendFile } from './send-file.ts';
import { UploadStatus } from './upload-status.tsx';

type Props = { id: number; onReplaced: () => Promise<unknown> };

/** Leaving the page stops the upload. */
export function ReplaceFileButton({ id, onReplaced }: Props) {
  const { document_allowed_ext } = useSettings().security;
  const input = useRef<HTMLInputElement>(null);
  const controller = useRef<AbortController>(null);
  const [percent, setPercent] = useState<number | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => () => controller.current?.abort(), []);

  const replace = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    currentTarget.value = '';
    if (!file) return;
    const upload = new AbortController();
    controller.current = upload;
    const { signal } = upload;
    setProblem('');
    setPercent(0);
    try {
      const attachment = await sendFile({
        file,
        uploadUrl: '',
        signal,
        onHashing: () => {},
        onUrl: () => {},
        onProgress: (sentBytes) => setPercent(Math.round((sentBytes / file.size) * 100)),
      });
      await callEndpoint(documentFileApi.replace, { id, attachment_id: attachment.id }, { signal });
      toast.success('文件已替换');
      await onReplaced();
    } catch (error) {
      if (!signal.aborted) setProblem(errorMessageOf(error) || '替换失败，请重试');
    } finally {
      setPercent(null);
    }
  };
  const isSending = percent !== null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <input
        ref={input}
        type="file"
        accept={[...document_allowed_ext, ...extensionAliasesOf(document_allowed_ext)].join(',')}
        aria-label="选择替换的文件"
        className="sr-only"
        tabIndex={-1}
        onChange={replace}
      />
      <Button variant="outline" pending={isSending} onClick={() => input.current?.click()}>
        {isSending ? null : <FileUp aria-hidden="true" className="size-4.5" />}
        替换文件
      </Button>
      <UploadStatus percent={percent} problem={problem} />
    </div>
  );
}
