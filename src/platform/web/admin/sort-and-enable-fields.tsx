import { Form, InputNumber, Switch } from 'antd';

/** Largest value of a PostgreSQL integer column. */
const MAX_SORT = 2_147_483_647;

export const SortField = () => (
  <Form.Item name="sort" label="排序" tooltip="数值越大越靠前">
    <InputNumber min={0} max={MAX_SORT} precision={0} style={{ width: '100%' }} />
  </Form.Item>
);

export const EnableField = ({ extra }: { extra?: string }) => (
  <Form.Item name="enable" label="是否启用" valuePropName="checked" extra={extra}>
    <Switch />
  </Form.Item>
);
