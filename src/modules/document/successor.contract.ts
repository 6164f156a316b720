import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, text, zeroOrId } from '#platform/contract/shapes.ts';

export const successorApi = {
  find: endpoint({
    method: 'GET',
    path: '/document/successor',
    access: 'public',
    summary: '文档被合并到哪一份；没有合并时 id 为 0',
    input: z.object({ id: z.optional(zeroOrId), uuid: z.optional(text(32, '编号')) }),
    output: z.object({ id: count }),
  }),
};
