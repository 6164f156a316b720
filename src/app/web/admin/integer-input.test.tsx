import { screen } from '@testing-library/react';
import { Form } from 'antd';
import { expect, it } from 'vitest';
import { IntegerInput } from '#platform/web/admin/integer-input.tsx';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { AdminProviders } from './admin-providers.tsx';

it('an integer field has no buttons with English names, and the arrow keys change its value', async () => {
  const { userInput } = renderPage(
    <AdminProviders>
      <Form initialValues={{ price: 7 }}>
        <Form.Item name="price" label="价格">
          <IntegerInput min={0} max={9} />
        </Form.Item>
      </Form>
    </AdminProviders>,
    { path: '/admin', user: testUser({ username: 'admin' }) },
  );
  const field = await screen.findByRole('spinbutton', { name: '价格' });
  expect(screen.queryAllByRole('button')).toEqual([]);
  await userInput.type(field, '{ArrowUp}');
  expect(field).toHaveProperty('value', '8');
});
