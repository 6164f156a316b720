const MAX_FILES = 2_000;

type Dropped = {
  files: File[];
  /** A sentence for each thing that was left out. */
  problems: string[];
};

/** Files of a drop, those inside dropped folders as well. */
export async function droppedFiles(transfer: DataTransfer): Promise<Dropped> {
  // Entries must be taken at once: the list is gone after the first wait.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  const dropped: Dropped = { files: [], problems: [] };
  if (entries.length === 0) return { ...dropped, files: [...transfer.files] };
  let isCut = false;
  for (const entry of entries) isCut = !(await collect(entry, dropped)) || isCut;
  if (isCut) dropped.problems.push(`一次最多加入 ${MAX_FILES} 个文件，其余的请分批拖入`);
  return dropped;
}

/** False when there was more than is taken. */
async function collect(entry: FileSystemEntry, dropped: Dropped): Promise<boolean> {
  const { files, problems } = dropped;
  if (files.length >= MAX_FILES) return false;
  try {
    if (entry.isFile) {
      files.push(await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
      return true;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    // A reader gives its entries in portions, an empty one at the end.
    for (;;) {
      const portion = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (portion.length === 0) return true;
      for (const inner of portion) if (!(await collect(inner, dropped))) return false;
    }
  } catch {
    problems.push(`${entry.name} 无法读取，忽略该${entry.isFile ? '文件' : '文件夹'}`);
    return true;
  }
}
