import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { id } from '#platform/contract/shapes.ts';

export const watermarkApi = {
  get: endpoint({
    method: 'GET',
    path: '/document/watermark',
    access: 'public',
    summary: '调用者阅读这份文档时的水印文字；不显示水印时为空',
    input: z.object({ id }),
    output: z.object({ text: z.string() }),
  }),
};
