import type { Categories } from '#modules/category/web/indexed-categories.ts';
import type { ArchiveEntry, ArchiveProblem } from '#modules/conversion/archive-entry.contract.ts';

export type ArchiveFolder = {
  /** Empty for files outside of folders. */
  path: string;
  /** Category with the name of the folder or of the nearest folder around it; 0 if there is none. */
  categoryId: number;
  entries: ArchiveEntry[];
};

export const archiveProblemTexts: Record<ArchiveProblem, string> = {
  unsupported: '不支持的格式',
  archive: '压缩包里的压缩包，请单独上传',
  encrypted: '已加密',
  empty: '空文件',
  tooLarge: '超过单个文件的大小限制',
  damaged: '已损坏',
};

export const entryName = ({ path }: Pick<ArchiveEntry, 'path'>): string => path.slice(path.lastIndexOf('/') + 1);

const folderPath = ({ path }: ArchiveEntry): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Groups the files by folder, in the order of the archive. */
export function groupByFolder(entries: readonly ArchiveEntry[], categories: Categories['map']): ArchiveFolder[] {
  const folders = new Map<string, ArchiveFolder>();
  for (const entry of entries) {
    const path = folderPath(entry);
    const folder = folders.get(path) ?? { path, categoryId: findCategoryOfFolder(path, categories), entries: [] };
    folder.entries.push(entry);
    folders.set(path, folder);
  }
  return [...folders.values()];
}

/** A category under a category with the name of the next folder is preferred. */
function findCategoryOfFolder(path: string, categories: Categories['map']): number {
  const names = path.split('/').map((name) => name.trim());
  for (let at = names.length - 1; at >= 0; at--) {
    const candidates = Object.values(categories).filter(({ title, enable }) => enable && title === names[at]);
    const child = candidates.find(({ parent_id }) => categories[parent_id]?.title === names[at - 1]);
    const category = child ?? candidates[0];
    if (category) return category.id;
  }
  return 0;
}
