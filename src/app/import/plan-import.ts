import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { MAX_DEPTH } from '#modules/category/category-tree.ts';
import { fileTypeOfExtension } from '#platform/contract/file-type.ts';
import { type ImportFailure, readErrorReason } from './explain-read-error.ts';

export type PlannedFile = {
  file: string;
  /** Path relative to the folder, for messages and the journal. */
  name: string;
  size: number;
  changedAt: number;
  /** Titles of the categories, from the top down. */
  categories: string[];
};
export type ImportPlan = {
  files: PlannedFile[];
  skipped: string[];
  failed: ImportFailure[];
};

const MAX_TITLE_LENGTH = 64;
const isHidden = ({ name }: Dirent) => name.startsWith('.') || name.startsWith('~$') || name === 'Thumbs.db';

/**
 * Plans the import of a folder: subfolders become categories below `parentCategories`, files of supported types become
 * documents, other files are skipped. Symbolic links are not followed.
 */
export async function planImport(folder: string, parentCategories: string[]): Promise<ImportPlan> {
  const plan: ImportPlan = { files: [], skipped: [], failed: [] };
  await planFolder(folder, '', parentCategories, plan);
  return plan;
}

async function planFolder(folder: string, subfolder: string, categories: string[], plan: ImportPlan): Promise<void> {
  const entries = await readdir(path.join(folder, subfolder), { withFileTypes: true }).catch((error: unknown) => {
    // The folder itself must be readable; a subfolder need not be.
    if (subfolder === '') throw error;
    plan.failed.push({ name: subfolder, reason: readErrorReason(error) });
    return [];
  });
  entries.sort((a, b) => a.name.localeCompare(b.name, 'zh-CN', { numeric: true }));
  for (const entry of entries) {
    const name = path.join(subfolder, entry.name);
    if (isHidden(entry)) continue;
    if (entry.isDirectory()) await planFolder(folder, name, appendCategory(categories, entry.name), plan);
    else if (!entry.isFile() || fileTypeOfExtension(path.extname(entry.name)) === 'other') plan.skipped.push(name);
    else {
      const file = path.join(folder, name);
      try {
        const { size, mtimeMs } = await stat(file);
        plan.files.push({ file, name, size, changedAt: Math.round(mtimeMs), categories });
      } catch (error) {
        plan.failed.push({ name, reason: readErrorReason(error) });
      }
    }
  }
}

/** The content of folders below the maximum depth of categories goes into the deepest category. */
const appendCategory = (categories: string[], name: string) =>
  categories.length >= MAX_DEPTH ? categories : [...categories, toCategoryTitle(name)];

const toCategoryTitle = (name: string) =>
  name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE_LENGTH)
    .trim() || '未命名';
