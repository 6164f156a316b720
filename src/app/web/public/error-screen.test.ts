import { UNSAFE_ErrorResponseImpl as ErrorResponse } from 'react-router';
import { describe, expect, it } from 'vitest';
import { errorPageText } from './error-screen.tsx';

const answer = (status: number, data: unknown) => new ErrorResponse(status, '', data);

describe('the error page', () => {
  it('shows for a 404 the reason of the server, or a default', () => {
    expect(errorPageText(answer(404, null))).toEqual({
      status: 404,
      message: 'This page could not be found',
      detail: '您访问的页面不存在，或已被移走',
    });
    expect(errorPageText(answer(404, { message: '文章不存在' })).detail).toBe('文章不存在');
  });
  it('shows the message of an API error with its status', () => {
    expect(errorPageText(answer(503, { message: '服务暂时不可用' }))).toEqual({
      status: 503,
      message: '服务暂时不可用',
      detail: '',
    });
  });
  it('shows no details of an unexpected error', () => {
    const { status, message } = errorPageText(new Error('column "secret" does not exist'));
    expect(status).toBe(500);
    expect(message).toBe('页面出错了，请刷新后重试');
  });
});
