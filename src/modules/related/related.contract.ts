import * as z from 'zod/mini';
import { documentRow } from '#modules/document/document.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { id } from '#platform/contract/shapes.ts';

export const relatedApi = {
  list: endpoint({
    method: 'GET',
    path: '/document/related',
    access: 'public',
    summary: '相关文档，最多 10 篇：内容相近的在前，不足时以同分类的新文档补上',
    input: z.object({ id }),
    output: z.object({ document: z.array(documentRow) }),
  }),
};
