import { useCallback } from 'react';
import { toast } from '#platform/web/toast.ts';
import { logout } from './session-store.ts';

export const useLogout = () =>
  useCallback(async () => {
    try {
      await logout();
      toast.success('已退出登录');
    } catch (error) {
      toast.failure(error, '已在本机退出，但服务器没有响应');
    }
  }, []);
