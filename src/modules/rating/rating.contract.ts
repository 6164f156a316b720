import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, id } from '#platform/contract/shapes.ts';

export const STAR_LABELS = ['令人失望', '不怎么样', '一般般', '很满意', '非常棒'] as const;

/** Stored scores are in hundredths of a star. */
export const SCORE_PER_STAR = 100;

export const ratingApi = {
  get: endpoint({
    method: 'GET',
    path: '/document/score',
    access: 'user',
    summary: '当前用户给文档的评分；没有评过时为 0',
    input: z.object({ document_id: id }),
    output: z.object({ document_id: count, user_id: count, score: count }),
  }),
  put: endpoint({
    method: 'POST',
    path: '/document/score',
    access: 'user',
    summary: '给文档评分，或修改评分：100 到 500 为一到五星；回答新的平均分和评分人数',
    input: z.object({
      document_id: id,
      score: z.literal([100, 200, 300, 400, 500], '评分应为一到五星，即 100 到 500'),
    }),
    output: z.object({ score: count, score_count: count }),
  }),
};

export const ratingErrors = defineErrors('rating', {
  ownDocument: [403, '不能给自己的文档评分'],
});
