import { route } from '#platform/server/http/route.ts';
import { signInApi } from './sign-in.contract.ts';
import { signInOfToday, signInToday } from './sign-in.ts';

export const signInRoutes = [
  route(signInApi.today, signInOfToday),
  route(signInApi.sign, signInToday),
];
