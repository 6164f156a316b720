import { route } from '#platform/server/http/route.ts';
import { adjustCredit } from './adjust-credit.ts';
import { creditApi } from './credit.contract.ts';
import { listMyCredit } from './list-credit.ts';

export const creditRoutes = [route(creditApi.list, listMyCredit), route(creditApi.adjust, adjustCredit)];
