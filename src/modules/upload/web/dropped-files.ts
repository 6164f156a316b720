const MAX_FILES = 2_000;

type DroppedFiles = {
  files: File[];
  /** A message for each file that was left out. */
  problems: string[];
};

/** Returns the dropped files, including those in dropped folders. */
export async function readDroppedFiles(transfer: DataTransfer): Promise<DroppedFiles> {
  // Entries must be read before the first await, because the list is emptied afterwards.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  const result: DroppedFiles = { files: [], problems: [] };
  if (entries.length === 0) return { ...result, files: [...transfer.files] };
  let isTruncated = false;
  for (const entry of entries) isTruncated = !(await collectFiles(entry, result)) || isTruncated;
  if (isTruncated) result.problems.push(`一次最多加入 ${MAX_FILES} 个文件，其余的请分批拖入`);
  return result;
}

/** Returns false when the limit was reached. */
async function collectFiles(entry: FileSystemEntry, result: DroppedFiles): Promise<boolean> {
  const { files, problems } = result;
  if (files.length >= MAX_FILES) return false;
  try {
    if (entry.isFile) {
      files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
      return true;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // A reader returns its entries in batches, with an empty one at the end.
    for (;;) {
      const batch = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (batch.length === 0) return true;
      for (const inner of batch) if (!(await collectFiles(inner, result))) return false;
    }
  } catch {
    problems.push(`${entry.name} 无法读取，忽略该${entry.isFile ? '文件' : '文件夹'}`);
    return true;
  }
}
