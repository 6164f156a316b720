import { route } from '#platform/server/http/route.ts';
import { adjustCredit } from './adjust-credit.ts';
import { creditApi } from './credit.contract.ts';
import { listMyCreditMovements } from './list-credit-movements.ts';

export const creditRoutes = [route(creditApi.list, listMyCreditMovements), route(creditApi.adjust, adjustCredit)];
