import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { invalidateUser } from '#modules/account/web/session.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { downloadApi } from '../download.contract.ts';
import { startDownload } from './start-download.ts';

/** Downloads a document, at this price if it is to be bought. Says whether it went well. */
export function useDownload(id: number, onBought?: () => void) {
  const client = useQueryClient();
  const [pending, setPending] = useState(false);
  const download = async (cost: number): Promise<boolean> => {
    setPending(true);
    try {
      const { url } = await call(downloadApi.get, { id, ...(cost > 0 && { price: cost }) });
      startDownload(url);
      toast.success(cost > 0 ? '购买成功，已开始下载' : '已开始下载');
      if (cost > 0) {
        void invalidateUser();
        onBought?.();
      }
      return true;
    } catch (error) {
      toast.failure(error, '下载失败');
      return false;
    } finally {
      // The price, the balance or the limit may not be what they were.
      void client.invalidateQueries({ queryKey: keyOf(downloadApi.offer) });
      setPending(false);
    }
  };
  return { download, pending };
}
