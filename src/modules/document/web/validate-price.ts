import { MAX_PRICE } from '../document.contract.ts';

/** Error message for a typed price; empty if it is valid. */
export const validatePrice = (price: string): string =>
  /^\d{1,7}$/.test(price) && Number(price) <= MAX_PRICE ? '' : `请输入 0 到 ${MAX_PRICE} 之间的整数`;
