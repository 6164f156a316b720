import { useQueryClient } from '@tanstack/react-query';
import { type Document, documentApi } from '#modules/document/document.contract.ts';
import type { DocumentEncryption } from '#modules/document/encryption.contract.ts';
import { queryKeyOf } from '#platform/web/api.ts';
import { ReplaceFileButton } from './replace-file-button.tsx';
import { UnlockForm } from './unlock-form.tsx';

const ADVICE: Record<DocumentEncryption, string> = {
  none: '请检查原文件，修复或另存后替换文件。',
  unlockable:
    '请去掉密码后替换文件，或输入文档密码解锁。密码只用一次，不会保存。解锁后可以在线阅读，下载的仍是加密的原文件。',
  unsupported: '暂不支持解锁这种格式的文件，请去掉密码后替换文件。',
};

/** Actions for the owner of a file that was not converted; administrators see it for encrypted files. */
export function FailedFilePanel({
  document,
  encryption,
}: {
  document: Pick<Document, 'id'>;
  encryption: DocumentEncryption;
}) {
  const client = useQueryClient();
  const invalidate = () =>
    Promise.all(
      [documentApi.progress, documentApi.list].map((endpoint) =>
        client.invalidateQueries({ queryKey: queryKeyOf(endpoint) }),
      ),
    );
  return (
    <section aria-label={encryption === 'none' ? '转换失败的文件' : '加密的文件'} className="card mt-3 p-5 md:p-6">
      <p className="mb-4 text-14 text-ink-2">{ADVICE[encryption]}</p>
      {encryption === 'unlockable' ? <UnlockForm id={document.id} onUnlocked={invalidate} /> : null}
      <ReplaceFileButton id={document.id} onReplaced={invalidate} />
    </section>
  );
}
