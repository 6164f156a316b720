import * as z from 'zod/mini';
import { archiveEntry } from '#modules/conversion/archive-entry.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { id } from '#platform/contract/shapes.ts';

/** Extensions with dot. Archives are sent like documents, and stay unfinished uploads until they expire. */
export const archiveExtensions: readonly string[] = ['.zip', '.rar', '.7z'];

export const isArchiveName = (name: string): boolean =>
  archiveExtensions.some((extension) => name.toLowerCase().endsWith(extension));

const uploadId = z.string('编号不正确').check(z.regex(/^[0-9a-f]{32}$/, '编号不正确'));

export const archiveApi = {
  unpack: endpoint({
    method: 'POST',
    path: '/upload/archive',
    access: 'user',
    summary: '解开已传完的压缩包（ZIP、RAR、7z），列出其中的文件',
    input: z.object({ id: uploadId }),
    output: z.object({ entry: z.array(archiveEntry) }),
  }),
  attach: endpoint({
    method: 'POST',
    path: '/upload/archive/document',
    access: 'user',
    summary: '取出压缩包里的一个文件，得到附件编号，再用它创建文档',
    input: z.object({ id: uploadId, index: archiveEntry.shape.index }),
    output: z.object({ id }),
  }),
};

export const archiveErrors = defineErrors('archive', {
  rejected: [422, '压缩包无法打开'],
  incomplete: [409, '压缩包还没有传完'],
  busy: [423, '压缩包正在解开，请稍候'],
  queued: [503, '正在解开的压缩包较多，请稍后重试'],
  noFile: [404, '压缩包里没有这个文件，请重新上传压缩包'],
});
