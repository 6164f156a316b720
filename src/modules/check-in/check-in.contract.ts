import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, nullableTime } from '#platform/contract/shapes.ts';

const checkIn = z.object({
  /** 0 means that the user has not checked in today. */
  id: count,
  user_id: count,
  ip: z.string(),
  /** The day in the time zone of the site, yyyymmdd. */
  sign_at: count,
  award: count,
  created_at: nullableTime,
});
export type CheckIn = z.infer<typeof checkIn>;

export const checkInApi = {
  today: endpoint({
    method: 'GET',
    path: '/user/sign',
    access: 'user',
    summary: '今天的签到；还没有签到时 id 为 0',
    input: emptyObject,
    output: checkIn,
  }),
  sign: endpoint({
    method: 'PUT',
    path: '/user/sign',
    access: 'user',
    summary: '签到，每天一次',
    input: emptyObject,
    output: checkIn,
  }),
};

export const checkInErrors = defineErrors('signIn', {
  signedToday: [409, '您今天已经签到过了'],
});
