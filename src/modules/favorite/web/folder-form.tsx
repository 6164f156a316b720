import { useState } from 'react';
import { Button } from '#platform/web/ui/button.tsx';
import { Field, TextArea } from '#platform/web/ui/field.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { useForm } from '#platform/web/use-form.ts';
import { favoriteApi } from '../favorite.contract.ts';
import { type FavoriteFolder, folderApi } from '../folder.contract.ts';

/** Creates a folder, or edits the given one. */
export function FolderForm({
  folder,
  onDone,
  onCancel,
}: {
  folder?: FavoriteFolder;
  onDone: (folder: { id: number }) => void;
  onCancel: () => void;
}) {
  const [isPublic, setPublic] = useState(folder?.is_public ?? false);
  const failure = '保存失败';
  const create = useAction(folderApi.create, { failure, invalidates: [folderApi.list], onDone });
  const update = useAction(folderApi.update, {
    success: '修改成功',
    failure,
    invalidates: [folderApi.list, favoriteApi.list],
    onDone: (_, { id }) => onDone({ id }),
  });
  const { bind, pending, submit } = useForm({
    initial: { title: folder?.title ?? '', description: folder?.description ?? '' },
    rules: { title: ({ title }) => (title.trim() ? '' : '请输入文辑名称') },
    send: async (values) => {
      const fields = { ...values, is_public: isPublic };
      await (folder ? update.run({ id: folder.id, ...fields }) : create.run(fields));
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Field label="名称" maxLength={50} autoFocus {...bind('title')} />
      <TextArea label="简介" maxLength={255} {...bind('description')} />
      <label className="flex min-h-10 items-start gap-3 text-15">
        <input
          type="checkbox"
          checked={isPublic}
          onChange={(event) => setPublic(event.target.checked)}
          className="mt-1 size-4.5 shrink-0 accent-bean"
        />
        <span>
          公开
          <span className="block text-13 text-ink-2">任何人都能看到这个文辑，可以把它的链接分享出去。</span>
        </span>
      </label>
      <div className="mt-6 flex justify-end gap-3">
        <Button variant="outline" onClick={onCancel}>
          取消
        </Button>
        <Button type="submit" pending={pending}>
          保存
        </Button>
      </div>
    </form>
  );
}
