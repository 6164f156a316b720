import { FileUp, FolderUp } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { buttonClass } from '#platform/web/ui/button.tsx';
import { readDroppedFiles } from './dropped-files.ts';

/** Accepts dropped or selected files, or a whole folder. It is smaller when the list has files. */
export function DropZone({
  accept,
  isSmall,
  onFiles,
}: {
  accept: string;
  isSmall: boolean;
  /** `problems`: messages about dropped files that could not be read. */
  onFiles: (files: File[], problems?: string[]) => void;
}) {
  const [isOver, setOver] = useState(false);
  const filesId = useId();
  const folderId = useId();
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const { files, problems } = await readDroppedFiles(event.dataTransfer);
    onFiles(files, problems);
  };
  return (
    <section
      aria-label="选择文件"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`flex flex-col items-center justify-center gap-4 rounded-lg border-2 border-dashed px-6 text-center transition-colors ${isSmall ? 'py-6' : 'min-h-72 py-12'} ${isOver ? 'border-bean bg-bean-soft' : 'border-line-strong/50 bg-surface'}`}
    >
      {isSmall ? null : <FileUp aria-hidden="true" className="size-12 text-bean" strokeWidth={1.4} />}
      <p className={isSmall ? 'text-14 text-ink-2' : 'font-serif text-18 font-bold'}>
        将文件、文件夹或压缩包拖到此处，或点击上传
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <FileInput id={filesId} accept={accept} onFiles={onFiles} />
        <label
          htmlFor={filesId}
          className={buttonClass(
            { variant: isSmall ? 'outline' : 'primary' },
            'cursor-pointer peer-focus-visible/files:outline-2',
          )}
        >
          <FileUp aria-hidden="true" className="size-4.5" />
          选择文件
        </label>
        <FileInput id={folderId} isFolder onFiles={onFiles} />
        <label
          htmlFor={folderId}
          className={buttonClass({ variant: 'outline' }, 'cursor-pointer peer-focus-visible/folder:outline-2')}
        >
          <FolderUp aria-hidden="true" className="size-4.5" />
          选择文件夹
        </label>
      </div>
    </section>
  );
}

function FileInput({
  id,
  accept,
  isFolder = false,
  onFiles,
}: {
  id: string;
  accept?: string;
  isFolder?: boolean;
  onFiles: (files: File[]) => void;
}) {
  return (
    <input
      id={id}
      type="file"
      multiple
      accept={accept}
      className={`${isFolder ? 'peer/folder' : 'peer/files'} sr-only`}
      ref={(input) => {
        if (isFolder) input?.setAttribute('webkitdirectory', '');
      }}
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        // Allows selecting the same file again after it was removed.
        currentTarget.value = '';
      }}
    />
  );
}
