import { Globe, Lock } from 'lucide-react';

export function FolderVisibility({ isPublic }: { isPublic: boolean }) {
  const Icon = isPublic ? Globe : Lock;
  return (
    <span className="flex shrink-0 items-center gap-1 text-12 text-ink-2">
      <Icon aria-hidden="true" className="size-3.5" />
      {isPublic ? '公开' : '私密'}
    </span>
  );
}
