import { inheritableWatermarkModes } from '../../watermark-mode.contract.ts';

/** Options of the selects in the forms of categories and documents. */
export const watermarkOptions = Object.entries(inheritableWatermarkModes).map(([value, label]) => ({ value, label }));
