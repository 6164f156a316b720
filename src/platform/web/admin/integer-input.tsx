import { InputNumber, type InputNumberProps } from 'antd';

/** Without step buttons, whose accessible names are English in every locale; the arrow keys change the number. */
export const IntegerInput = (props: Omit<InputNumberProps<number>, 'controls' | 'precision' | 'style'>) => (
  <InputNumber<number> {...props} controls={false} precision={0} style={{ width: '100%' }} />
);
