import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { MAX_DEPTH } from '#modules/category/category-tree.ts';
import { fileType } from '#platform/contract/format.ts';
import { type Failure, readingProblem } from './read-error.ts';

export type PlannedFile = {
  file: string;
  /** Path below the folder, to be shown and remembered. */
  name: string;
  size: number;
  changedAt: number;
  /** Titles of the categories, from the top down. */
  categories: string[];
};
export type Plan = {
  files: PlannedFile[];
  skipped: string[];
  /** What the system would not let us read. */
  failed: Failure[];
};

const MAX_TITLE = 64;
const isHidden = ({ name }: Dirent) => name.startsWith('.') || name.startsWith('~$') || name === 'Thumbs.db';

/**
 * What an import of a folder would do: its sub-folders become categories below `top`, documents become
 * documents, everything else is left out. Links are not followed.
 */
export async function planImport(folder: string, top: string[]): Promise<Plan> {
  const plan: Plan = { files: [], skipped: [], failed: [] };
  await visit(folder, '', top, plan);
  return plan;
}

async function visit(folder: string, below: string, categories: string[], plan: Plan): Promise<void> {
  const entries = await readdir(path.join(folder, below), { withFileTypes: true }).catch((error: unknown) => {
    // The folder itself has to be there; one within it may be closed to us.
    if (below === '') throw error;
    plan.failed.push({ name: below, reason: readingProblem(error) });
    return [];
  });
  entries.sort((one, other) => one.name.localeCompare(other.name, 'zh-CN', { numeric: true }));
  for (const entry of entries) {
    const name = path.join(below, entry.name);
    if (isHidden(entry)) continue;
    if (entry.isDirectory()) await visit(folder, name, categoriesBelow(categories, entry.name), plan);
    else if (!entry.isFile() || fileType(path.extname(entry.name)) === 'other') plan.skipped.push(name);
    else {
      const file = path.join(folder, name);
      try {
        const { size, mtimeMs } = await stat(file);
        plan.files.push({ file, name, size, changedAt: Math.round(mtimeMs), categories });
      } catch (error) {
        plan.failed.push({ name, reason: readingProblem(error) });
      }
    }
  }
}

/** Folders deeper than categories can be go into the deepest one. */
const categoriesBelow = (categories: string[], name: string) =>
  categories.length >= MAX_DEPTH ? categories : [...categories, titleOf(name)];

const titleOf = (name: string) =>
  name
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim()
    .slice(0, MAX_TITLE)
    .trim() || '未命名';
