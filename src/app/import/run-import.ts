import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { and, eq, isNull } from 'drizzle-orm';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { loadCategories } from '#modules/category/category.ts';
import { createCategories } from '#modules/category/create-categories.ts';
import { createDocuments } from '#modules/document/create-documents.ts';
import { documents } from '#modules/document/document.table.ts';
import { DOCUMENT_ATTACHMENT_TYPE, storeFileAsAttachment } from '#modules/upload/store-file-as-attachment.ts';
import { validateUpload } from '#modules/upload/upload-rules.ts';
import { AppError } from '#platform/contract/errors.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { type ImportFailure, readErrorReason, UnreadableFileError } from './explain-read-error.ts';
import type { ImportPlan, PlannedFile } from './plan-import.ts';

export type ImportReport = {
  imported: number;
  existing: number;
  failed: ImportFailure[];
};
type Options = {
  folder: string;
  price: number;
  onProgress: (report: ImportReport, file: PlannedFile) => void;
};

/** Imports the files of a plan. When it runs again, it continues after the last imported file. */
export async function runImport(ctx: UserContext, plan: ImportPlan, options: Options): Promise<ImportReport> {
  const report: ImportReport = { imported: 0, existing: 0, failed: [...plan.failed] };
  const journal = await openJournal(ctx, options.folder);
  const categoryPaths = new Map<string, number[]>();
  for (const file of plan.files) {
    try {
      if (journal.isDone(file)) report.existing++;
      else {
        const path = await findOrCreateCategoryPath(ctx, file.categories, categoryPaths);
        if (await importFile(ctx, file, path, options.price)) report.imported++;
        else report.existing++;
        await journal.markDone(file);
      }
    } catch (error) {
      // An invalid file does not stop the import; an error of the database or disk does.
      if (!(error instanceof AppError || error instanceof UnreadableFileError)) throw error;
      report.failed.push({ name: file.name, reason: error.message });
    }
    options.onProgress(report, file);
  }
  return report;
}

/** Returns false if the user already has a document with this file and title. */
async function importFile(
  ctx: UserContext,
  file: PlannedFile,
  categoryPath: number[],
  price: number,
): Promise<boolean> {
  const name = path.basename(file.file);
  const extension = await validateUpload(ctx, name, file.size);
  const title =
    path
      .basename(name, path.extname(name))
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
      .trim()
      .slice(0, 255) || name;
  const hash = createHash('sha256');
  await pipeline(createReadStream(file.file), hash).catch((error: unknown) => {
    throw new UnreadableFileError(readErrorReason(error), { cause: error });
  });
  const upload = {
    hash: hash.digest('hex'),
    size: file.size,
    name: name.slice(0, 255),
    extension,
  };
  if (await isImported(ctx, upload.hash, title)) return false;
  const { id } = await storeFileAsAttachment(ctx, file.file, upload);
  const document = {
    title,
    price,
    attachment_id: id,
    keywords: '',
    description: '',
    language: '',
    visibility: 0,
    preview: 0,
  };
  await createDocuments(ctx, { category_id: categoryPath, document: [document] });
  return true;
}

async function isImported(ctx: UserContext, hash: string, title: string): Promise<boolean> {
  const [row] = await ctx.db
    .select({ id: documents.id })
    .from(attachments)
    .innerJoin(documents, eq(documents.id, attachments.type_id))
    .where(
      and(
        ...[eq(attachments.hash, hash), eq(attachments.type, DOCUMENT_ATTACHMENT_TYPE), eq(documents.title, title)],
        ...[eq(documents.user_id, ctx.user.id), isNull(documents.deleted_at)],
      ),
    )
    .limit(1);
  return row !== undefined;
}

/** Returns the ids of a category path, top category first. Creates missing categories. */
async function findOrCreateCategoryPath(
  ctx: Context,
  titles: string[],
  cache: Map<string, number[]>,
): Promise<number[]> {
  const key = titles.join('\0');
  const cachedIds = cache.get(key);
  if (cachedIds) return cachedIds;
  const ids: number[] = [];
  for (const title of titles) {
    const parent_id = ids.at(-1) ?? 0;
    const find = async () =>
      (await loadCategories(ctx.db)).find((each) => each.parent_id === parent_id && each.title === title);
    if (!(await find()))
      await createCategories(ctx, {
        title,
        parent_id,
        cover: '',
        icon: '',
        description: '',
        sort: 0,
        enable: true,
        enable_ocr: true,
        watermark: 'inherit',
      });
    const category = await find();
    if (!category) throw new Error(`category ${title} was not created`);
    ids.push(category.id);
  }
  cache.set(key, ids);
  return ids;
}

/** A file in the data folder that lists the imported files, so that the next run need not read them again. */
async function openJournal(ctx: UserContext, folder: string) {
  const directory = path.join(ctx.config.dataDir, 'import');
  await mkdir(directory, { recursive: true });
  const id = createHash('sha256').update(`${ctx.user.id}\0${folder}`).digest('hex').slice(0, 16);
  const journal = path.join(directory, `${id}.log`);
  const lineOf = ({ name, size, changedAt }: PlannedFile) => JSON.stringify([name, size, changedAt]);
  const text = await readFile(journal, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = new Set(text.split('\n'));
  return {
    isDone: (file: PlannedFile) => lines.has(lineOf(file)),
    markDone: (file: PlannedFile) => appendFile(journal, `${lineOf(file)}\n`),
  };
}
