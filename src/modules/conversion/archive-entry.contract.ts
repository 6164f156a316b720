import * as z from 'zod/mini';

/** Files that are read from the directory of a ZIP, or from a stream of bsdtar (RAR and 7z). */
export type ArchiveKind = 'zip' | 'libarchive';

/** Why a file of an archive cannot become a document. */
const archiveProblem = z.enum(['unsupported', 'archive', 'encrypted', 'empty', 'tooLarge', 'damaged']);
export type ArchiveProblem = z.infer<typeof archiveProblem>;

/** A file of an archive with its path in it. */
export const archiveEntry = z.object({
  index: z.int().check(z.gte(0), z.lte(100_000)),
  path: z.string().check(z.minLength(1), z.maxLength(1_000)),
  size: z.int().check(z.gte(0)),
  problem: z.nullable(archiveProblem),
});
export type ArchiveEntry = z.infer<typeof archiveEntry>;
