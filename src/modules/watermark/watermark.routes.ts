import { route } from '#platform/server/http/route.ts';
import { getWatermark } from './get-watermark.ts';
import { watermarkApi } from './watermark.contract.ts';

export const watermarkRoutes = [route(watermarkApi.get, getWatermark)];
