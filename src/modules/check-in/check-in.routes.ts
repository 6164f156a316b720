import { route } from '#platform/server/http/route.ts';
import { signInApi } from './check-in.contract.ts';
import { signInOfToday, signInToday } from './check-in.ts';

export const signInRoutes = [
  route(signInApi.today, signInOfToday),
  route(signInApi.sign, signInToday),
];
