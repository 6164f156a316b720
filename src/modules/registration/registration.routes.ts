import { route } from '#platform/server/http/route.ts';
import { registrationApi } from './registration.contract.ts';
import { register, sendEmailCode } from './registration.ts';

export const registrationRoutes = [
  route(registrationApi.register, register),
  route(registrationApi.emailCode, sendEmailCode),
];
