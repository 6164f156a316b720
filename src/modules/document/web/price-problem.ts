import { MAX_PRICE } from '../document.contract.ts';

/** What is wrong with a price as it was typed; '' when nothing is. */
export const priceProblem = (price: string): string =>
  /^\d{1,7}$/.test(price) && Number(price) <= MAX_PRICE ? '' : `请输入 0 到 ${MAX_PRICE} 之间的整数`;
