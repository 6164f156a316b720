import { Form, Switch } from 'antd';
import { IntegerInput } from './integer-input.tsx';

/** Largest value of a PostgreSQL integer column. */
const MAX_SORT = 2_147_483_647;

export const SortField = () => (
  <Form.Item name="sort" label="排序" tooltip="数值越大越靠前">
    <IntegerInput min={0} max={MAX_SORT} />
  </Form.Item>
);

export const EnableField = ({ extra }: { extra?: string }) => (
  <Form.Item name="enable" label="是否启用" valuePropName="checked" extra={extra}>
    <Switch />
  </Form.Item>
);
